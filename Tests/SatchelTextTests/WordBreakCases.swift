// Written by Scripts/generate-word-breaks.py from Unicode's WordBreakTest.txt, in a shorter form; do not edit.
// Documentation/UnicodeData.md has its licence.

/// The 1823 cases with which Unicode 15.0.0 tests word boundaries.
enum WordBreakCases {
  /// The scalars of the cases; each is called a to z, A to Z in this order.
  static let scalars: [UInt32] = [
    0x1, 0xA, 0xB, 0xD, 0x20, 0x22, 0x27, 0x2C, 0x2E, 0x30, 0x31, 0x3A, 0x41, 0x5F, 0x61, 0x62, 0xAD,
    0x300, 0x308, 0x5D0, 0x646, 0x200D, 0x2060, 0x231A, 0x2701, 0x3031, 0x1F1E6, 0x1F1E7, 0x1F1E8,
    0x1F1E9, 0x1F3FF, 0x1F476, 0x1F6D1,
  ]

  /// The cases, between spaces or line breaks: the names of the scalars with | at each boundary but the first and the last.
  static let cases = """
    a|a as|a a|d as|d a|b as|b a|c as|c a|z as|z a|m as|m a|l as|l a|h as|h a|i as|i a|j as|j a|n as|n
    a|A as|A a|t as|t a|f as|f a|g as|g a|x as|x a|e as|e aq asq ar asr av asv a|ow as|ow a|o|l as|o|l
    a|o|g as|o|g a|o|gw as|o|gw a|o|h as|o|h a|k|l as|k|l a|k|g as|k|g a|k|h as|k|h a|k|iw as|k|iw d|a
    d|s|a d|d d|s|d db d|s|b d|c d|s|c d|z d|s|z d|m d|s|m d|l d|s|l d|h d|s|h d|i d|s|i d|j d|s|j d|n
    d|s|n d|A d|s|A d|t d|s|t d|f d|s|f d|g d|s|g d|x d|s|x d|e d|s|e d|q d|sq d|r d|sr d|v d|sv d|ow
    d|s|ow d|o|l d|s|o|l d|o|g d|s|o|g d|o|gw d|s|o|gw d|o|h d|s|o|h d|k|l d|s|k|l d|k|g d|s|k|g d|k|h
    d|s|k|h d|k|iw d|s|k|iw b|a b|s|a b|d b|s|d b|b b|s|b b|c b|s|c b|z b|s|z b|m b|s|m b|l b|s|l b|h
    b|s|h b|i b|s|i b|j b|s|j b|n b|s|n b|A b|s|A b|t b|s|t b|f b|s|f b|g b|s|g b|x b|s|x b|e b|s|e b|q
    b|sq b|r b|sr b|v b|sv b|ow b|s|ow b|o|l b|s|o|l b|o|g b|s|o|g b|o|gw b|s|o|gw b|o|h b|s|o|h b|k|l
    b|s|k|l b|k|g b|s|k|g b|k|h b|s|k|h b|k|iw b|s|k|iw c|a c|s|a c|d c|s|d c|b c|s|b c|c c|s|c c|z
    c|s|z c|m c|s|m c|l c|s|l c|h c|s|h c|i c|s|i c|j c|s|j c|n c|s|n c|A c|s|A c|t c|s|t c|f c|s|f c|g
    c|s|g c|x c|s|x c|e c|s|e c|q c|sq c|r c|sr c|v c|sv c|ow c|s|ow c|o|l c|s|o|l c|o|g c|s|o|g c|o|gw
    c|s|o|gw c|o|h c|s|o|h c|k|l c|s|k|l c|k|g c|s|k|g c|k|h c|s|k|h c|k|iw c|s|k|iw z|a zs|a z|d zs|d
    z|b zs|b z|c zs|c zz zsz z|m zs|m z|l zs|l z|h zs|h z|i zs|i z|j zs|j zn zsn z|A zs|A z|t zs|t z|f
    zs|f z|g zs|g z|x zs|x z|e zs|e zq zsq zr zsr zv zsv z|ow zs|ow z|o|l zs|o|l z|o|g zs|o|g z|o|gw
    zs|o|gw z|o|h zs|o|h z|k|l zs|k|l z|k|g zs|k|g z|k|h zs|k|h z|k|iw zs|k|iw m|a ms|a m|d ms|d m|b
    ms|b m|c ms|c m|z ms|z mm msm m|l ms|l m|h ms|h m|i ms|i mj msj mn msn m|A ms|A mt mst m|f ms|f m|g
    ms|g m|x ms|x m|e ms|e mq msq mr msr mv msv mow msow mo|l mso|l mo|g mso|g mo|gw mso|gw mo|h mso|h
    mk|l msk|l mk|g msk|g mk|h msk|h mk|iw msk|iw l|a ls|a l|d ls|d l|b ls|b l|c ls|c l|z ls|z l|m ls|m
    l|l ls|l l|h ls|h l|i ls|i l|j ls|j l|n ls|n l|A ls|A l|t ls|t l|f ls|f l|g ls|g l|x ls|x l|e ls|e
    lq lsq lr lsr lv lsv l|ow ls|ow l|o|l ls|o|l l|o|g ls|o|g l|o|gw ls|o|gw l|o|h ls|o|h l|k|l ls|k|l
    l|k|g ls|k|g l|k|h ls|k|h l|k|iw ls|k|iw h|a hs|a h|d hs|d h|b hs|b h|c hs|c h|z hs|z h|m hs|m h|l
    hs|l h|h hs|h h|i hs|i h|j hs|j h|n hs|n h|A hs|A h|t hs|t h|f hs|f h|g hs|g h|x hs|x h|e hs|e hq
    hsq hr hsr hv hsv h|ow hs|ow h|o|l hs|o|l h|o|g hs|o|g h|o|gw hs|o|gw h|o|h hs|o|h h|k|l hs|k|l
    h|k|g hs|k|g h|k|h hs|k|h h|k|iw hs|k|iw i|a is|a i|d is|d i|b is|b i|c is|c i|z is|z i|m is|m i|l
    is|l i|h is|h i|i is|i i|j is|j i|n is|n i|A is|A i|t is|t i|f is|f i|g is|g i|x is|x i|e is|e iq
    isq ir isr iv isv i|ow is|ow i|o|l is|o|l i|o|g is|o|g i|o|gw is|o|gw i|o|h is|o|h i|k|l is|k|l
    i|k|g is|k|g i|k|h is|k|h i|k|iw is|k|iw j|a js|a j|d js|d j|b js|b j|c js|c j|z js|z jm jsm j|l
    js|l j|h js|h j|i js|i jj jsj jn jsn j|A js|A jt jst j|f js|f j|g js|g j|x js|x j|e js|e jq jsq jr
    jsr jv jsv jow jsow jo|l jso|l jo|g jso|g jo|gw jso|gw jo|h jso|h jk|l jsk|l jk|g jsk|g jk|h jsk|h
    jk|iw jsk|iw n|a ns|a n|d ns|d n|b ns|b n|c ns|c nz nsz nm nsm n|l ns|l n|h ns|h n|i ns|i nj nsj nn
    nsn n|A ns|A nt nst n|f ns|f n|g ns|g n|x ns|x n|e ns|e nq nsq nr nsr nv nsv now nsow no|l nso|l
    no|g nso|g no|gw nso|gw no|h nso|h nk|l nsk|l nk|g nsk|g nk|h nsk|h nk|iw nsk|iw A|a As|a A|d As|d
    A|b As|b A|c As|c A|z As|z A|m As|m A|l As|l A|h As|h A|i As|i A|j As|j A|n As|n AA AsA A|t As|t A|f
    As|f A|g As|g A|x As|x A|e As|e Aq Asq Ar Asr Av Asv A|ow As|ow A|o|l As|o|l A|o|g As|o|g A|o|gw
    As|o|gw A|o|h As|o|h A|k|l As|k|l A|k|g As|k|g A|k|h As|k|h A|k|iw As|k|iw t|a ts|a t|d ts|d t|b
    ts|b t|c ts|c t|z ts|z tm tsm t|l ts|l t|h ts|h t|i ts|i tj tsj tn tsn t|A ts|A tt tst t|f ts|f tg
    tsg t|x ts|x t|e ts|e tq tsq tr tsr tv tsv tow tsow to|l tso|l to|g tso|g to|gw tso|gw to|h tso|h
    tk|l tsk|l tk|g tsk|g tk|h tsk|h tk|iw tsk|iw f|a fs|a f|d fs|d f|b fs|b f|c fs|c f|z fs|z f|m fs|m
    f|l fs|l f|h fs|h f|i fs|i f|j fs|j f|n fs|n f|A fs|A f|t fs|t f|f fs|f f|g fs|g f|x fs|x f|e fs|e
    fq fsq fr fsr fv fsv f|ow fs|ow f|o|l fs|o|l f|o|g fs|o|g f|o|gw fs|o|gw f|o|h fs|o|h f|k|l fs|k|l
    f|k|g fs|k|g f|k|h fs|k|h f|k|iw fs|k|iw g|a gs|a g|d gs|d g|b gs|b g|c gs|c g|z gs|z g|m gs|m g|l
    gs|l g|h gs|h g|i gs|i g|j gs|j g|n gs|n g|A gs|A g|t gs|t g|f gs|f g|g gs|g g|x gs|x g|e gs|e gq
    gsq gr gsr gv gsv g|ow gs|ow g|o|l gs|o|l g|o|g gs|o|g g|o|gw gs|o|gw g|o|h gs|o|h g|k|l gs|k|l
    g|k|g gs|k|g g|k|h gs|k|h g|k|iw gs|k|iw x|a xs|a x|d xs|d x|b xs|b x|c xs|c x|z xs|z x|m xs|m x|l
    xs|l x|h xs|h x|i xs|i x|j xs|j x|n xs|n x|A xs|A x|t xs|t x|f xs|f x|g xs|g x|x xs|x x|e xs|e xq
    xsq xr xsr xv xsv x|ow xs|ow x|o|l xs|o|l x|o|g xs|o|g x|o|gw xs|o|gw x|o|h xs|o|h x|k|l xs|k|l
    x|k|g xs|k|g x|k|h xs|k|h x|k|iw xs|k|iw e|a es|a e|d es|d e|b es|b e|c es|c e|z es|z e|m es|m e|l
    es|l e|h es|h e|i es|i e|j es|j e|n es|n e|A es|A e|t es|t e|f es|f e|g es|g e|x es|x ee es|e eq esq
    er esr ev esv e|ow es|ow e|o|l es|o|l e|o|g es|o|g e|o|gw es|o|gw e|o|h es|o|h e|k|l es|k|l e|k|g
    es|k|g e|k|h es|k|h e|k|iw es|k|iw q|a qs|a q|d qs|d q|b qs|b q|c qs|c q|z qs|z q|m qs|m q|l qs|l
    q|h qs|h q|i qs|i q|j qs|j q|n qs|n q|A qs|A q|t qs|t q|f qs|f q|g qs|g q|x qs|x q|e qs|e qq qsq qr
    qsr qv qsv q|ow qs|ow q|o|l qs|o|l q|o|g qs|o|g q|o|gw qs|o|gw q|o|h qs|o|h q|k|l qs|k|l q|k|g
    qs|k|g q|k|h qs|k|h q|k|iw qs|k|iw r|a rs|a r|d rs|d r|b rs|b r|c rs|c r|z rs|z r|m rs|m r|l rs|l
    r|h rs|h r|i rs|i r|j rs|j r|n rs|n r|A rs|A r|t rs|t r|f rs|f r|g rs|g r|x rs|x r|e rs|e rq rsq rr
    rsr rv rsv r|ow rs|ow r|o|l rs|o|l r|o|g rs|o|g r|o|gw rs|o|gw r|o|h rs|o|h r|k|l rs|k|l r|k|g
    rs|k|g r|k|h rs|k|h r|k|iw rs|k|iw v|a vs|a v|d vs|d v|b vs|b v|c vs|c v|z vs|z v|m vs|m v|l vs|l
    v|h vs|h v|i vs|i v|j vs|j v|n vs|n v|A vs|A v|t vs|t v|f vs|f v|g vs|g vx vs|x v|e vs|e vq vsq vr
    vsr vv vsv v|ow vs|ow v|o|l vs|o|l v|o|g vs|o|g v|o|gw vs|o|gw v|o|h vs|o|h v|k|l vs|k|l v|k|g
    vs|k|g v|k|h vs|k|h v|k|iw vs|k|iw ow|a ows|a ow|d ows|d ow|b ows|b ow|c ows|c ow|z ows|z owm owsm
    ow|l ows|l ow|h ows|h ow|i ows|i owj owsj own owsn ow|A ows|A owt owst ow|f ows|f ow|g ows|g ow|x
    ows|x ow|e ows|e owq owsq owr owsr owv owsv owow owsow owo|l owso|l owo|g owso|g owo|gw owso|gw
    owo|h owso|h owk|l owsk|l owk|g owsk|g owk|h owsk|h owk|iw owsk|iw o|l|a o|ls|a o|l|d o|ls|d o|l|b
    o|ls|b o|l|c o|ls|c o|l|z o|ls|z olm olsm o|l|l o|ls|l o|l|h o|ls|h o|l|i o|ls|i o|l|j o|ls|j o|l|n
    o|ls|n o|l|A o|ls|A olt olst o|l|f o|ls|f o|l|g o|ls|g o|l|x o|ls|x o|l|e o|ls|e o|lq o|lsq o|lr
    o|lsr o|lv o|lsv olow olsow olo|l olso|l olo|g olso|g olo|gw olso|gw olo|h olso|h o|l|k|l o|ls|k|l
    o|l|k|g o|ls|k|g o|l|k|h o|ls|k|h o|l|k|iw o|ls|k|iw o|g|a o|gs|a o|g|d o|gs|d o|g|b o|gs|b o|g|c
    o|gs|c o|g|z o|gs|z ogm ogsm o|g|l o|gs|l o|g|h o|gs|h o|g|i o|gs|i o|g|j o|gs|j o|g|n o|gs|n o|g|A
    o|gs|A ogt ogst o|g|f o|gs|f o|g|g o|gs|g o|g|x o|gs|x o|g|e o|gs|e o|gq o|gsq o|gr o|gsr o|gv o|gsv
    ogow ogsow ogo|l ogso|l ogo|g ogso|g ogo|gw ogso|gw ogo|h ogso|h o|g|k|l o|gs|k|l o|g|k|g o|gs|k|g
    o|g|k|h o|gs|k|h o|g|k|iw o|gs|k|iw o|gw|a o|gws|a o|gw|d o|gws|d o|gw|b o|gws|b o|gw|c o|gws|c
    o|gw|z o|gws|z ogwm ogwsm o|gw|l o|gws|l o|gw|h o|gws|h o|gw|i o|gws|i o|gw|j o|gws|j o|gw|n o|gws|n
    o|gw|A o|gws|A ogwt ogwst o|gw|f o|gws|f o|gw|g o|gws|g o|gw|x o|gws|x o|gw|e o|gws|e o|gwq o|gwsq
    o|gwr o|gwsr o|gwv o|gwsv ogwow ogwsow ogwo|l ogwso|l ogwo|g ogwso|g ogwo|gw ogwso|gw ogwo|h ogwso|h
    o|gw|k|l o|gws|k|l o|gw|k|g o|gws|k|g o|gw|k|h o|gws|k|h o|gw|k|iw o|gws|k|iw o|h|a o|hs|a o|h|d
    o|hs|d o|h|b o|hs|b o|h|c o|hs|c o|h|z o|hs|z o|h|m o|hs|m o|h|l o|hs|l o|h|h o|hs|h o|h|i o|hs|i
    o|h|j o|hs|j o|h|n o|hs|n o|h|A o|hs|A o|h|t o|hs|t o|h|f o|hs|f o|h|g o|hs|g o|h|x o|hs|x o|h|e
    o|hs|e o|hq o|hsq o|hr o|hsr o|hv o|hsv o|h|ow o|hs|ow o|h|o|l o|hs|o|l o|h|o|g o|hs|o|g o|h|o|gw
    o|hs|o|gw o|h|o|h o|hs|o|h o|h|k|l o|hs|k|l o|h|k|g o|hs|k|g o|h|k|h o|hs|k|h o|h|k|iw o|hs|k|iw
    k|l|a k|ls|a k|l|d k|ls|d k|l|b k|ls|b k|l|c k|ls|c k|l|z k|ls|z k|l|m k|ls|m k|l|l k|ls|l k|l|h
    k|ls|h k|l|i k|ls|i k|l|j k|ls|j k|l|n k|ls|n k|l|A k|ls|A k|l|t k|ls|t k|l|f k|ls|f k|l|g k|ls|g
    k|l|x k|ls|x k|l|e k|ls|e k|lq k|lsq k|lr k|lsr k|lv k|lsv k|l|ow k|ls|ow k|l|o|l k|ls|o|l k|l|o|g
    k|ls|o|g k|l|o|gw k|ls|o|gw k|l|o|h k|ls|o|h k|l|k|l k|ls|k|l k|l|k|g k|ls|k|g k|l|k|h k|ls|k|h
    k|l|k|iw k|ls|k|iw k|g|a k|gs|a k|g|d k|gs|d k|g|b k|gs|b k|g|c k|gs|c k|g|z k|gs|z k|g|m k|gs|m
    k|g|l k|gs|l k|g|h k|gs|h k|g|i k|gs|i kgj kgsj k|g|n k|gs|n k|g|A k|gs|A k|g|t k|gs|t k|g|f k|gs|f
    k|g|g k|gs|g k|g|x k|gs|x k|g|e k|gs|e k|gq k|gsq k|gr k|gsr k|gv k|gsv k|g|ow k|gs|ow k|g|o|l
    k|gs|o|l k|g|o|g k|gs|o|g k|g|o|gw k|gs|o|gw k|g|o|h k|gs|o|h kgk|l kgsk|l kgk|g kgsk|g kgk|h kgsk|h
    kgk|iw kgsk|iw k|h|a k|hs|a k|h|d k|hs|d k|h|b k|hs|b k|h|c k|hs|c k|h|z k|hs|z k|h|m k|hs|m k|h|l
    k|hs|l k|h|h k|hs|h k|h|i k|hs|i khj khsj k|h|n k|hs|n k|h|A k|hs|A k|h|t k|hs|t k|h|f k|hs|f k|h|g
    k|hs|g k|h|x k|hs|x k|h|e k|hs|e k|hq k|hsq k|hr k|hsr k|hv k|hsv k|h|ow k|hs|ow k|h|o|l k|hs|o|l
    k|h|o|g k|hs|o|g k|h|o|gw k|hs|o|gw k|h|o|h k|hs|o|h khk|l khsk|l khk|g khsk|g khk|h khsk|h khk|iw
    khsk|iw k|iw|a k|iws|a k|iw|d k|iws|d k|iw|b k|iws|b k|iw|c k|iws|c k|iw|z k|iws|z k|iw|m k|iws|m
    k|iw|l k|iws|l k|iw|h k|iws|h k|iw|i k|iws|i kiwj kiwsj k|iw|n k|iws|n k|iw|A k|iws|A k|iw|t k|iws|t
    k|iw|f k|iws|f k|iw|g k|iws|g k|iw|x k|iws|x k|iw|e k|iws|e k|iwq k|iwsq k|iwr k|iwsr k|iwv k|iwsv
    k|iw|ow k|iws|ow k|iw|o|l k|iws|o|l k|iw|o|g k|iws|o|g k|iw|o|gw k|iws|o|gw k|iw|o|h k|iws|o|h
    kiwk|l kiwsk|l kiwk|g kiwsk|g kiwk|h kiwsk|h kiwk|iw kiwsk|iw db|o|b|s os ev|u uv|e mmm mlm m|l|l|m
    tg tft mjjm jhj j|h|h|j zz mnjnzn mnnm AB|C|p o|AB|C|p o|ABv|C|p o|AvB|C|p o|AB|CD|p FE|F GvG ovG
    yvy ovy FEsvFE GE vGE vG vG G|G osvsp o|ee|p k|l|l|k knk|l|l|k kno|l|l|k k|l|l|o knk|l|l|o kno|l|l|o
    k|l|i|k knk|l|i|k kno|l|i|k k|l|i|o knk|l|i|o kno|l|i|o k|l|h|k knk|l|h|k kno|l|h|k k|l|h|o
    knk|l|h|o kno|l|h|o k|i|l|k knk|i|l|k kno|i|l|k k|i|l|o knk|i|l|o kno|i|l|o k|i|i|k knk|i|i|k
    kno|i|i|k k|i|i|o knk|i|i|o kno|i|i|o k|i|h|k knk|i|h|k kno|i|h|k k|i|h|o knk|i|h|o kno|i|h|o
    k|h|l|k knk|h|l|k kno|h|l|k k|h|l|o knk|h|l|o kno|h|l|o k|h|i|k knk|h|i|k kno|h|i|k k|h|i|o
    knk|h|i|o kno|h|i|o k|h|h|k knk|h|h|k kno|h|h|k k|h|h|o knk|h|h|o kno|h|h|o o|l|l|k onk|l|l|k
    ono|l|l|k o|l|l|o onk|l|l|o ono|l|l|o o|l|i|k onk|l|i|k ono|l|i|k o|l|i|o onk|l|i|o ono|l|i|o
    o|l|h|k onk|l|h|k ono|l|h|k o|l|h|o onk|l|h|o ono|l|h|o o|i|l|k onk|i|l|k ono|i|l|k o|i|l|o
    onk|i|l|o ono|i|l|o o|i|i|k onk|i|i|k ono|i|i|k o|i|i|o onk|i|i|o ono|i|i|o o|i|h|k onk|i|h|k
    ono|i|h|k o|i|h|o onk|i|h|o ono|i|h|o o|h|l|k onk|h|l|k ono|h|l|k o|h|l|o onk|h|l|o ono|h|l|o
    o|h|i|k onk|h|i|k ono|h|i|k o|h|i|o onk|h|i|o ono|h|i|o o|h|h|k onk|h|h|k ono|h|h|k o|h|h|o
    onk|h|h|o ono|h|h|o
    """
}
