"""Bipartite matching: can every row of a release be about a record of its own?"""

from collections import deque


def perfect(fits, room):
    """fits[i]: the places that i fits; room[p]: how many a place takes. Can the places all be filled?
    Augments along shortest paths, from records that have no place yet."""
    inside = [[] for _ in room]
    for start in range(len(fits)):
        parent, queue, end = {}, deque([start]), None
        seen = set()
        while queue and end is None:
            record = queue.popleft()
            for place in fits[record]:
                if place in seen:
                    continue
                seen.add(place)
                parent[place] = record
                if len(inside[place]) < room[place]:
                    end = place
                    break
                for other in inside[place]:
                    if ("from", other) not in parent:
                        parent[("from", other)] = place
                        queue.append(other)
        if end is None:
            continue
        place = end
        while True:
            record = parent[place]
            inside[place].append(record)
            if record == start:
                break
            before = parent[("from", record)]
            inside[before].remove(record)
            place = before
    return sum(map(len, inside)) == sum(room)
