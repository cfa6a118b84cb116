"""JointExp: all quantiles from one exact draw of the exponential mechanism."""
