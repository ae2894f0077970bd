"""Boards, plots, trees and whole searches as pictures: for reports, slides and pages, without a screen."""
