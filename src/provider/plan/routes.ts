import { isObject, type JsonObject, listAt, objectAt, own } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import { isNamedByHost } from '../../kinds/kindFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';

/** The default port of a domain. */
export const usualPort = 443;

export function portNumber(port: JsonObject): number {
  const number = Number(own(port, 'number') ?? usualPort);
  return Number.isNaN(number) ? usualPort : number;
}

export function portsOf(record: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(record, 'spec'), 'ports').filter(isObject);
}

/** The record with other ports. */
export function withPorts(record: JsonObject, ports: readonly JsonObject[]): JsonObject {
  return { ...record, spec: { ...objectAt(record, 'spec'), ports: [...ports] } };
}

/**
 * The record of a domain without the routes of the ports for which the resource has none: they belong to
 * `gantry_domain_route`, or to others, and are not drift.
 */
export function withoutOthersRoutes(kind: Kind, record: JsonObject, hint: ObjectValue | undefined): JsonObject {
  if (!isNamedByHost(kind) || hint === undefined) return record;
  const open = portsWithoutRoutes(hint);
  if (!portsOf(record).some((port) => open.has(portNumber(port)))) return record;
  return withPorts(
    record,
    portsOf(record).map((port) => {
      const { routes: _others, ...rest } = port;
      return open.has(portNumber(port)) ? rest : port;
    }),
  );
}

/** The declared record of a domain, with the live routes of the ports that have none in it nor in the last state. */
export function withOthersRoutes(
  kind: Kind,
  declared: JsonObject,
  {
    config,
    prior,
    live,
  }: { readonly config: ObjectValue; readonly prior: ObjectValue | null; readonly live: JsonObject },
): JsonObject {
  if (!isNamedByHost(kind) || prior === null) return declared;
  const [open, before] = [portsWithoutRoutes(config), portsWithoutRoutes(prior)];
  const others = new Map(portsOf(live).map((port) => [portNumber(port), own(port, 'routes')]));
  const isOthers = (port: JsonObject): boolean => {
    const number = portNumber(port);
    return open.has(number) && before.has(number) && others.get(number) !== undefined;
  };
  if (!portsOf(declared).some(isOthers)) return declared;
  return withPorts(
    declared,
    portsOf(declared).map((port) => (isOthers(port) ? { ...port, routes: others.get(portNumber(port)) ?? [] } : port)),
  );
}

/** The numbers of the ports without a route in a configuration or a state. */
function portsWithoutRoutes(domain: ObjectValue): ReadonlySet<number> {
  return new Set(compact(portsIn(domain), ({ number, hasRoutes }) => (hasRoutes ? undefined : number)));
}

/** The numbers of the ports that have, or may have, routes. */
export function portsWithRoutes(domain: ObjectValue): readonly number[] {
  return portsIn(domain).flatMap(({ number, hasRoutes }) => (hasRoutes ? [number] : []));
}

function portsIn(domain: ObjectValue): readonly { readonly number: number; readonly hasRoutes: boolean }[] {
  const spec = attributeOf(domain, 'spec');
  const ports = isObjectValue(spec) ? attributeOf(spec, 'ports') : null;
  const listed = isListValue(ports) ? ports.filter(isObjectValue) : [];
  return listed.flatMap((port) => {
    const said = attributeOf(port, 'number');
    const number = said === null ? usualPort : said;
    const routes: Value = attributeOf(port, 'routes');
    const hasRoutes = routes === unknown || (isListValue(routes) && routes.length > 0);
    return typeof number === 'number' ? [{ number, hasRoutes }] : [];
  });
}

/** The domain removes the undeclared routes of a port if it declares any. */
export function declaredInBoth(domain: string, port: number): Diagnostic {
  return {
    severity: 'warning',
    summary: `the routes of port ${port} of ${domain} are declared in two ways`,
    detail:
      'The gantry_domain has routes for this port, and a gantry_domain_route is one of it too. The next update of the domain ' +
      'takes out what it does not declare itself: declare the routes of a port in one of the two ways.',
  };
}
