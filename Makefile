# `make demo` and `make test` are all a fresh machine needs; the rest is for those who change the code.

SWIFT ?= swift
BUILD = $(SWIFT) build -c release
# Nothing is tested through @testable: the tests use the same build as the product.
# One test at a time: several wait for threads and processes of their own, and there are as few threads as processors.
TEST = $(SWIFT) test -c release --disable-xctest --disable-testable-imports --no-parallel

BENCH = $(SWIFT) build -c release --package-path Benchmarks --product
BENCHMARK = Benchmarks/.build/release/satchel-benchmark

PREFIX ?= /usr/local

.PHONY: help demo test build install lint imports format differential recall ranked formats live windows watch outside example tsan asan fuzz goldens clean
.PHONY: dependencies test-dependencies docs structure
.PHONY: bench bench-large bench-compare bench-check bench-test bench-live bench-dependencies stress torture simulate age

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

dependencies: ## Install liblmdb where it is missing
	@Scripts/install-dependencies.sh

test-dependencies:
	@Scripts/install-dependencies.sh tests

build: dependencies ## Build everything, optimised
	$(BUILD)

install: dependencies ## Build satchel and copy it to /usr/local/bin, or elsewhere: PREFIX=$$HOME/.local
	$(BUILD) --product satchel
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$($(BUILD) --show-bin-path)/satchel" "$(DESTDIR)$(PREFIX)/bin/satchel"

demo: dependencies ## Build, import a generated chat of 100,000 messages, answer the example queries
	$(BUILD) --product satchel
	@Scripts/demo.sh

test: test-dependencies ## Build and pass the tests
	@Scripts/test.sh $(TEST)

outside: dependencies ## Build README's example, Tests/Outside and the chat as programs outside the repository
	$(BUILD) --product satchel
	@Scripts/test-outside.sh

differential: test-dependencies ## 10,000 random queries against the reference model and SQLite; also on a file: CORPUS=f.jsonl CORPUS_USER=name
	@queries=$${SATCHEL_DIFFERENTIAL_QUERIES:-10000}; \
	  SATCHEL_CORPUS="$(CORPUS)" SATCHEL_USER="$(CORPUS_USER)" SATCHEL_DIFFERENTIAL_QUERIES=$$queries Scripts/record-tests.sh \
	  differential differential $$queries "random queries, and as many beside an anchor" -- $(TEST) --filter DifferentialTests

recall: test-dependencies ## 10,000 random words and as many parts of words found by an index as by reading; also of a file: CORPUS=f.jsonl
	SATCHEL_CORPUS="$(CORPUS)" SATCHEL_RECALL_QUERIES=$${SATCHEL_RECALL_QUERIES:-10000} $(TEST) --filter RecallTests

ranked: test-dependencies ## 1,000,000 random operations on ranked indexes against sorted arrays
	@operations=$${SATCHEL_RANKED_OPERATIONS:-1000000}; SATCHEL_RANKED_OPERATIONS=$$operations Scripts/record-tests.sh \
	  indexes ranked $$operations "random changes of numbers, and of texts" -- $(TEST) --filter RankedIndexTests

formats: test-dependencies ## Stores of every format read, converted and refused by name
	@Scripts/record-tests.sh formats formats -- $(TEST) --filter 'OlderStoresTests|OlderFormatTests|GoldenTests'

live: test-dependencies ## 100,000 random commits under 32 random live queries at a time, each compared with a fresh query
	SATCHEL_LIVE_COMMITS=$${SATCHEL_LIVE_COMMITS:-100000} $(TEST) --filter LivePropertyTests

windows: test-dependencies ## 10,000 random commits, jumps and loads under windows and pages: rows before, in and after are all rows
	SATCHEL_WINDOW_STEPS=$${SATCHEL_WINDOW_STEPS:-10000} $(TEST) --filter WindowPlaceTests

bench-dependencies:
	@Scripts/install-dependencies.sh benchmarks

bench: bench-dependencies ## Measure against SQLite, GRDB and LMDB in 22 minutes: SIZES=10000,100000 CORPORA=folder FILTER=page/
	$(BENCH) satchel-benchmark
	$(BENCHMARK) run --minutes $${MINUTES:-22} $(if $(SIZES),--sizes "$(SIZES)") $(if $(CORPORA),--corpora "$(CORPORA)") \
	  $(if $(FILTER),--filter "$(FILTER)")

bench-large: bench-dependencies ## Measure 10,000,000 messages, an hour or more, and merge them into the same report
	$(BENCH) satchel-benchmark
	$(BENCHMARK) run --large $(if $(MINUTES),--minutes $(MINUTES)) $(if $(FILTER),--filter "$(FILTER)")

bench-compare: bench-dependencies ## Measure an earlier commit and this one by turns, fail if a row of ours is slower: BASE=revision MINUTES=7 FILTER=page/; or OLD=results.json
ifdef OLD
	$(BENCH) satchel-benchmark
	@$(BENCHMARK) compare "$(OLD)" $(or $(NEW),Benchmarks/results.json)
else
	@SWIFT=$(SWIFT) Scripts/bench-compare.sh
endif

bench-check: bench-dependencies ## Have all engines answer every workload on a small chat, alike; a few seconds of make stress
	$(BENCH) BenchmarkCheck
	Benchmarks/.build/release/BenchmarkCheck
	$(BENCH) satchel-stress
	Benchmarks/.build/release/satchel-stress --seed 1 --operations 700 --messages 500 --quiet

bench-test: bench-dependencies ## Pass the tests of what measures and reports
	$(SWIFT) test -c release --disable-xctest --disable-testable-imports --package-path Benchmarks

stress: dependencies ## Hours of random work against a model: MINUTES=60 SEED=1, or OPERATIONS=1000000
	$(BENCH) satchel-stress
	Benchmarks/.build/release/satchel-stress $(if $(OPERATIONS),--operations $(OPERATIONS),--minutes $(or $(MINUTES),60)) \
	  $(if $(SEED),--seed $(SEED))

torture: dependencies ## Crashes, kills, failing calls, damage, in 50 minutes, and RELIABILITY.md: PARTS=replay,kills MINUTES=5 SEED=1
	$(BUILD) --product satchel
	$(BUILD) --product satchel-torture
	.build/release/satchel-torture --report RELIABILITY.md $(if $(PARTS),--parts "$(PARTS)") $(if $(MINUTES),--minutes $(MINUTES)) \
	  $(if $(SEED),--seed $(SEED))

simulate: dependencies ## 1,000,000 histories of processes that share a store, with crashes, on a simulated machine: HISTORIES=10000 SEED=1
	$(BUILD) --product satchel-simulate
	.build/release/satchel-simulate $(if $(HISTORIES),--histories $(HISTORIES)) $(if $(SEED),--seed $(SEED))

age: dependencies ## Age a store by a chat's commits, and tell where the bytes of its file go: COMMITS=100000 SEED=1 TIMES=1
	$(BUILD) --product satchel-age
	@.build/release/satchel-age $(if $(COMMITS),--commits $(COMMITS)) $(if $(SEED),--seed $(SEED)) $(if $(TIMES),--times)

bench-live: dependencies ## Measure what live queries cost: SIZES="10000 100000 1000000"
	$(SWIFT) run -c release --package-path Benchmarks LiveBenchmark $(SIZES)

watch: test-dependencies ## 10,000 commits of writers that come and go, followed by processes that watch
	SATCHEL_WATCH_COMMITS=$${SATCHEL_WATCH_COMMITS:-10000} $(TEST) --filter WatchedWritesTests

tsan: test-dependencies ## Tests of controllers under the thread sanitizer; others: TESTS=LMDBTests
	@SWIFT=$(SWIFT) Scripts/test-threads.sh $(TESTS)

asan: test-dependencies ## All tests under the address sanitizer; some: TESTS=LMDBTests
	@SWIFT=$(SWIFT) Scripts/test-addresses.sh $(TESTS)

fuzz: dependencies ## Look for bytes that a decoder fails on: MINUTES=1 or RUNS=5000000 for each, JOBS=2, SANITIZE=none, DECODER=line
	@SWIFT=$(SWIFT) Scripts/fuzz.sh

example: dependencies ## Build the chat of Examples and open it on a generated store, with messages coming in
	$(BUILD) --product satchel
	@Scripts/example.sh

lint: ## Check the format of the sources
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Scripts \
	  Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Examples/Package.swift Examples/Sources

format: ## Format the sources
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Scripts \
	  Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Examples/Package.swift Examples/Sources

imports: dependencies ## Check that each target imports only what it declares
	$(BUILD) --explicit-target-dependency-import-check error

docs: dependencies ## Check that what reads or writes has both forms, and build the documentation into .build/docs/Satchel.doccarchive
	@SWIFT=$(SWIFT) Scripts/docs.sh

structure: ## Print what the sources are made of, and fail on what they must not have
	@SWIFT=$(SWIFT) Scripts/structure.sh

goldens: test-dependencies ## Rewrite golden files and format vectors; the run fails, so that the change is looked at
	SATCHEL_REWRITE=1 $(TEST)

clean: ## Remove what was built
	rm -rf .build
