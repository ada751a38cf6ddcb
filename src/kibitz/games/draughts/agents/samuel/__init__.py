"""Samuel's learner: the weights of features, fitted to deeper searches or to how games end."""
