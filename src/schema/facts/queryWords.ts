/** Of a term of a query (platform/query.terms). */
export const queryOperators = ['=', '>', '>=', '<', '<=', '!=', '~', '=~', 'contains', 'exists', '!exists'] as const;

/** By what a term selects. */
export const querySelectors = ['property', 'rel', 'tag'] as const;

/** Which terms of a query have to match. */
export const queryMatches = ['all', 'any', 'none'] as const;

/** How the answer of a query may be sorted. */
export const queryOrders = ['asc', 'desc'] as const;
