// Filled in by the code of this stage.
