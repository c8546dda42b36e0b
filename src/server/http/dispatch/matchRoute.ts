import type { Method } from '../../api/openapi/described.ts';
import type { Route } from './route.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A node of the path tree. Literal segments take precedence over parameters. */
interface Place {
  readonly literal: Map<string, Place>;
  named: Place | undefined;
  readonly routes: Map<string, Placed>;
}

interface Placed {
  readonly route: Route;
  /** The names of the parameters on the way to it. */
  readonly names: readonly string[];
}

export type Matched =
  | { readonly found: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly found: undefined; readonly allow: readonly string[]; readonly near?: Near };

/** A known path with another method. */
export interface Near {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. */
export class RouteTree {
  readonly #root = newPlace();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** `allow`: the methods of the path; empty if the path is unknown. */
  match(method: string, segments: readonly string[]): Matched {
    const values: string[] = [];
    let place = this.#root;
    for (const segment of segments) {
      const literal = place.literal.get(segment);
      if (literal !== undefined) {
        place = literal;
      } else if (place.named !== undefined && segment !== '' && !segment.startsWith('-')) {
        values.push(segment);
        place = place.named;
      } else {
        return { found: undefined, allow: [] };
      }
    }
    const found = place.routes.get(method);
    if (found !== undefined) return { found: found.route, params: paramsOf(found, values) };
    const allow = methods.filter((known) => place.routes.has(known));
    const [other] = place.routes.values();
    const near = other === undefined ? {} : { near: { route: other.route, params: paramsOf(other, values) } };
    return { found, allow, ...near };
  }

  #add(route: Route): void {
    let place = this.#root;
    for (const segment of route.path.split('/').slice(1)) place = below(place, segment);
    if (place.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    const names = route.path.split('/').flatMap((segment) => (segment.startsWith('{') ? [segment.slice(1, -1)] : []));
    place.routes.set(route.method, { route, names });
  }
}

function paramsOf({ names }: Placed, values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

function newPlace(): Place {
  return { literal: new Map(), named: undefined, routes: new Map() };
}

function below(place: Place, segment: string): Place {
  if (segment.startsWith('{')) {
    place.named ??= newPlace();
    return place.named;
  }
  const known = place.literal.get(segment) ?? newPlace();
  place.literal.set(segment, known);
  return known;
}
