"""The tests of the engines, the library and the workbench."""
