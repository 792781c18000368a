"""The anchors of `speed.rs` that a plain pip can bring, measured on this machine.

    python3 -m venv anchors && anchors/bin/pip install torch scikit-learn mapie && anchors/bin/python benches/anchors.py
"""

import time

import numpy as np


def best(work, repeats):
    """The best of several runs: the others have only waited more."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def training_step():
    import torch

    torch.manual_seed(0)
    x, y = torch.randn(100, 13), torch.randn(100, 1)
    for dtype in (torch.float32, torch.float64):
        for threads in (1, 2):
            torch.set_num_threads(threads)
            model = torch.nn.Sequential(torch.nn.Linear(13, 100), torch.nn.Tanh(), torch.nn.Linear(100, 1)).to(dtype)
            adam = torch.optim.Adam(model.parameters())
            inputs, target = x.to(dtype), y.to(dtype)

            def steps():
                for _ in range(100):
                    adam.zero_grad()
                    torch.nn.functional.mse_loss(model(inputs), target).backward()
                    adam.step()

            steps()
            micro = best(steps, 10) * 1e4
            print(f"PyTorch {torch.__version__}, {dtype}, {threads} threads: {micro:.0f} us a training step")


def jackknife_plus():
    from mapie.regression import CrossConformalRegressor
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import LeaveOneOut

    random = np.random.default_rng(0)
    x, test = random.normal(size=(500, 13)), random.normal(size=(100, 13))
    y = x.sum(axis=1) + random.normal(size=500)

    def intervals():
        model = CrossConformalRegressor(LinearRegression(), confidence_level=0.9, method="plus", cv=LeaveOneOut())
        model.fit_conformalize(x, y).predict_interval(test)

    print(f"MAPIE jackknife+, least squares, n = 500, d = 13, 100 points: {best(intervals, 3) * 1e3:.0f} ms")


if __name__ == "__main__":
    training_step()
    jackknife_plus()
