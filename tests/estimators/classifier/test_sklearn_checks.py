from sklearn.utils.estimator_checks import parametrize_with_checks

from galileomix import GalileoClassifier


@parametrize_with_checks([GalileoClassifier()])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)
