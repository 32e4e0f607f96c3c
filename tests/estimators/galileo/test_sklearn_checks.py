from sklearn.utils.estimator_checks import parametrize_with_checks

from galileomix import Galileo


@parametrize_with_checks(
    [Galileo(effort=0.01, random_state=0), Galileo.as_published(6, random_state=0)]
)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)
