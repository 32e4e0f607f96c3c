from sklearn.utils.estimator_checks import parametrize_with_checks

from galileomix.baselines import CentroidLinkage, Coolcat, KModes, Rock

# scikit-learn's blobs have two columns, so records that share one value have a similarity of 1/3.
OURS = [
    Rock(theta=0.3),
    Rock(theta=0.3, sample_size=40, random_state=0),
    Coolcat(random_state=0),
    KModes(random_state=0),
    KModes(init="cao", discretize=("quantile", 3)),
    CentroidLinkage(discretize=("quantile", 3)),
]


@parametrize_with_checks(OURS)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)
