"""Random choices from a seed.

A case is drawn from a text such as "7:123", the campaign's seed and the number of the case, so that
every case can be drawn again without those before it.
"""

import random


class Draw:
    """Choices of one case."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def below(self, bound):
        return self.random.randrange(bound)

    def between(self, low, high):
        """A whole number from low to high, both included."""
        return self.random.randint(low, high)

    def pick(self, items):
        return self.random.choice(list(items))

    def weighted(self, pairs):
        """One of the items of (weight, item)."""
        items = list(pairs)
        return self.random.choices([item for _, item in items], [weight for weight, _ in items])[0]

    def some(self, items, count):
        """So many different items, or all, in random order."""
        items = list(items)
        return self.random.sample(items, min(count, len(items)))

    def shuffled(self, items):
        return self.some(items, len(items))

    def skewed(self, items):
        """One of the items; the first ones are the most frequent, as in data about people."""
        items = list(items)
        place = int(len(items) * self.random.random() ** 2)
        return items[min(place, len(items) - 1)]
