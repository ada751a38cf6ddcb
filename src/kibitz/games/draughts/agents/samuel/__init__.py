"""Samuel's learner: weights of features, fitted to deeper searches or to the results of games."""
