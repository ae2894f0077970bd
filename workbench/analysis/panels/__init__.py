"""The texts of the Analyse screen's panels: pure functions of an `AnalysisView`."""
