/** The operators of query terms (platform/query.terms). */
export const queryOperators = ['=', '>', '>=', '<', '<=', '!=', '~', '=~', 'contains', 'exists', '!exists'] as const;

/** The parts of a record that a query term selects by. */
export const querySelectors = ['property', 'rel', 'tag'] as const;

/** How many terms of a query must match. */
export const queryMatches = ['all', 'any', 'none'] as const;

/** The sort orders of query results. */
export const queryOrders = ['asc', 'desc'] as const;
