import type { Route } from '../../routes/route.ts';

/** What the description of the API needs to know of a route. */
export type Described = Omit<Route, 'handle'>;
