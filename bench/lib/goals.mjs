/**
 * One target of the benchmark, checked: `value` against the goal, and against the least that is accepted where one is
 * named. `atMost` for numbers that should be small.
 */
export function target(what, value, { goal, least = goal, atMost = false }) {
  const reaches = limit => (atMost ? value <= limit : value >= limit);
  const verdict = () => {
    if (!Number.isFinite(value)) return 'not measured';
    if (reaches(goal)) return 'met';
    return reaches(least) ? 'accepted' : 'MISSED';
  };
  return { what, value, goal, least, atMost, verdict: verdict() };
}

/** The median of one number of one way; NaN where it was not measured. */
export function medianOf(rows, name, number) {
  return rows.find(row => row.name === name)?.[number]?.median ?? Number.NaN;
}

/** How one way compares with another, by their medians. */
export function ratio(rows, number, name, other) {
  return medianOf(rows, name, number) / medianOf(rows, other, number);
}
