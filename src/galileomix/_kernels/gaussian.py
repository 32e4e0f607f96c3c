from galileomix._kernels.gaussian_reference import distances, log_density, moments

__all__ = ["distances", "log_density", "moments"]
