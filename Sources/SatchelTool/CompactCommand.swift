import ArgumentParser
import Satchel
