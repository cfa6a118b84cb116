"""How a tree's budget is split: workloads to plan for, and the best shares for them. Public."""
