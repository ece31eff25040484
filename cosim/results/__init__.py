"""What a run leaves: dataset, file, plots."""
