import { isObject, type JsonObject, listAt, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { domainRoute as names } from '../../hcl/schema/domainRoute.ts';
import { domainRouteSchema } from '../../hcl/schema/providerSchema.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  sameValue,
  textAt,
  unknown,
  type Value,
} from '../../hcl/value.ts';
import { manifestOf, pathText } from '../../hcl/values/manifestOf.ts';
import { stateOf } from '../../hcl/values/stateOf.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { loadValidators } from '../../kinds/validators.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { diff } from '../../patch/diff.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import type { Change } from '../../plan/model/change.ts';
import { directivesOf } from '../../plan/model/planContext.ts';
import { answered } from '../../plan/record/shapeFacts.ts';
import { contextOf, formatRef, linkOf, type Ref } from '../../schema/record/ref.ts';
import { planResource } from '../plan/planResource.ts';
import { portNumber, portsOf, usualPort, withPorts } from '../plan/routes.ts';
import { validateConfig } from '../plan/validateConfig.ts';
import { type ChangeContext, differentAttributes, stale } from './changeContext.ts';
import type { PartType } from './part.ts';
import { bodyOf, changeOf, runChange } from './runChange.ts';

/** The path of the route within its domain. */
const place = ['spec', 'ports', 0, 'routes', 0] as const;

/**
 * A route is planned, read and written as a domain with only this route, so the rules of domains apply. Only the patch
 * is computed from the whole record, so that it does not affect the rest.
 */
export const domainRoute: PartType = {
  schema: domainRouteSchema(),
  recordOf,
  async validate(config) {
    const found = validateConfig({
      kind: 'domain',
      config: asDomain(config),
      validators: await loadValidators(['domain']),
    });
    return found.flatMap(inRoute);
  },
  plan(config, prior, surroundings) {
    const before = prior === undefined ? null : asDomain(prior);
    if (config === undefined) {
      const { diagnostics } = planResource({
        kind: 'domain',
        config: asDomain(prior ?? {}, []),
        prior: before,
        ...surroundings,
      });
      return { planned: undefined, requiresReplace: [], diagnostics: diagnostics.flatMap(inRoute) };
    }
    const whole = withPortNumber(config);
    const moved = [names.domain, names.domainPort].filter(
      (name) => prior !== undefined && !sameValue(attributeOf(whole, name), attributeOf(prior, name)),
    );
    const isNew = prior === undefined || moved.length > 0;
    const { planned, diagnostics } = planResource({
      kind: 'domain',
      config: asDomain(whole),
      prior: isNew ? null : before,
      ...surroundings,
    });
    return {
      planned: {
        ...whole,
        ...routeIn(planned ?? {}),
        [names.link]: isNew ? unknown : attributeOf(prior, names.link),
      },
      requiresReplace: moved.map((name) => [name]),
      diagnostics: diagnostics.flatMap(inRoute),
    };
  },
  async read(records, state, org) {
    const ref = domainIn(state);
    const live = await records.read({ ref });
    return live === undefined ? undefined : stateIn(live.record, state, org);
  },
  identity: idIn,
  async create(context, config, wasLeft) {
    let isTakenOver = false;
    const takeOver = (): void => {
      isTakenOver = true;
    };
    const state = await write(context, config, undefined, wasLeft ? takeOver : undefined);
    return { state, diagnostics: isTakenOver ? [takeoverWarning(config)] : [] };
  },
  update: write,
  async remove(context, state) {
    await change(context, domainIn(state), { prior: state, become: (record) => withoutRoute(record, state) });
  },
  importForm: 'DOMAIN:PORT:PATH, the path as the prefix or the regular expression says it, behind the host prefix',
  imported(id) {
    const [, domain, port, path] = /^([^:]+):(\d+):(.*)$/.exec(id) ?? [];
    return domain === undefined
      ? undefined
      : { [names.domain]: domain, [names.domainPort]: Number(port), [names.prefix]: path ?? '' };
  },
};

function recordOf(state: ObjectValue): Ref | undefined {
  const name = textAt(state, names.domain);
  return name === undefined ? undefined : { kind: 'domain', name };
}

function domainIn(state: ObjectValue): Ref {
  const ref = recordOf(state);
  if (ref === undefined) throw new Error('the plan does not say which domain it is');
  return ref;
}

function asDomain(route: ObjectValue, routes?: readonly []): ObjectValue {
  const { [names.domain]: name = null, [names.domainPort]: number = null, [names.link]: _link, ...own } = route;
  return { name, spec: { ports: [{ number, routes: routes ?? [own] }] } };
}

/** The port of the domain. */
function portOf(route: ObjectValue): Value {
  const number = attributeOf(route, names.domainPort);
  return number === null ? usualPort : number;
}

function withPortNumber(route: ObjectValue): ObjectValue {
  return { ...route, [names.domainPort]: portOf(route) };
}

/** The attributes of the only route of a domain. */
function routeIn(domain: ObjectValue): ObjectValue {
  let value: Value | undefined = domain;
  for (const step of place) {
    value =
      typeof step === 'number'
        ? isListValue(value)
          ? value[step]
          : undefined
        : isObjectValue(value)
          ? attributeOf(value, step)
          : undefined;
  }
  return isObjectValue(value) ? value : {};
}

/** A diagnostic of a domain, moved to the attributes of the route; omitted for fields that a route does not have. */
function inRoute(each: Diagnostic): readonly Diagnostic[] {
  const { path } = each;
  if (path === undefined) return [each];
  if (place.every((step, index) => path[index] === step)) return [placed(each, path, path.slice(place.length))];
  const [first, , , attribute] = path;
  const of: AttributePath | undefined =
    first === 'name' ? [names.domain] : attribute === 'number' ? [names.domainPort] : undefined;
  return of === undefined ? [] : [placed(each, path, of)];
}

/** A summary begins with the path that it concerns. */
function placed(each: Diagnostic, before: AttributePath, path: AttributePath): Diagnostic {
  const at = pathText(before);
  const { summary } = each;
  const words = summary.startsWith(at) ? `${pathText(path) || 'The route'}${summary.slice(at.length)}` : summary;
  return { ...each, summary: words, path };
}

/** The key that identifies a route of a port on the platform. */
function keyOf(route: JsonObject): string {
  const text = (name: string) => stringAt(route, name);
  return JSON.stringify([text('regex') ?? text('prefix') ?? '/', text('hostRegex') ?? text('hostPrefix') ?? '']);
}

/** The same in the form of an import id. */
function spelledKey(route: JsonObject): string {
  const [path, host]: readonly string[] = JSON.parse(keyOf(route));
  return `${host}${path}`;
}

function routesOf(port: JsonObject): readonly JsonObject[] {
  return listAt(port, 'routes').filter(isObject);
}

/** The route as it is in a record. */
function routeOf(state: ObjectValue): JsonObject {
  const [port] = portsOf(manifestOf('domain', asDomain(state)).record);
  return (port === undefined ? undefined : routesOf(port)[0]) ?? {};
}

function portIn(record: JsonObject, state: ObjectValue): JsonObject | undefined {
  const number = portOf(state);
  return portsOf(record).find((port) => portNumber(port) === number);
}

/** Undefined if it does not exist. For an import only its key is known, as one text. */
function stateIn(record: JsonObject, state: ObjectValue, org: string): ObjectValue | undefined {
  const port = portIn(record, state);
  const isImported = attributeOf(state, names.workloadLink) === null;
  const wanted = routeOf(state);
  if (port === undefined) return undefined;
  const route = routesOf(port).find((each) =>
    isImported ? spelledKey(each) === textAt(state, names.prefix) : keyOf(each) === keyOf(wanted),
  );
  if (route === undefined) return undefined;
  const alone = withPorts(record, [{ ...port, routes: [route] }]);
  const domain = stateOf('domain', alone, { org, ...present({ hint: isImported ? undefined : asDomain(state) }) });
  return {
    [names.domain]: attributeOf(state, names.domain),
    [names.domainPort]: portNumber(port),
    ...routeIn(domain),
    [names.link]: linkOf(domainIn(state), org),
  };
}

/** The changed fields of a route since it was planned; undefined if there are none. */
function movedIn(record: JsonObject, prior: ObjectValue, org: string): string | undefined {
  const route = `its route ${idIn(prior)}`;
  const now = stateIn(record, prior, org);
  if (now === undefined) return `${route} no longer exists`;
  const changed = differentAttributes(prior, now);
  return changed.length === 0 ? undefined : `${changed.join(', ')} of ${route} changed`;
}

/**
 * Creates the route, or changes the one in `prior`. `takeOver`: called if the new route exists already, exactly as
 * declared; if absent, this is an error too.
 */
async function write(
  context: ChangeContext,
  config: ObjectValue,
  prior: ObjectValue | undefined,
  takeOver?: () => void,
): Promise<ObjectValue> {
  const ref = domainIn(config);
  const route = routeOf(config);
  const former = prior === undefined ? undefined : keyOf(routeOf(prior));
  const become = (record: JsonObject): JsonObject => {
    const port = portIn(record, config);
    if (port === undefined) throw noPort(ref, config);
    const others = routesOf(port).filter((each) => keyOf(each) !== former);
    const same = others.findIndex((each) => keyOf(each) === keyOf(route));
    if (same >= 0) {
      const replaced = withPort(record, port, others.with(same, route));
      const isAsDeclared = diff('domain', record, replaced, diffOptions(context, ref)) === undefined;
      if (takeOver === undefined || !isAsDeclared) throw taken(ref, config);
      takeOver();
      return record;
    }
    const at = routesOf(port).findIndex((each) => keyOf(each) === former);
    return withPort(record, port, others.toSpliced(at < 0 ? others.length : at, 0, route));
  };
  const live = await change(context, ref, { prior, become });
  if (live === undefined) throw absent(ref);
  const state = stateIn(live.record, withPortNumber(config), context.client.org);
  if (state !== undefined) return state;
  throw new Error(`${formatRef(ref)} was written, and does not show the route`);
}

function withoutRoute(record: JsonObject, state: ObjectValue): JsonObject {
  const port = portIn(record, state);
  const key = keyOf(routeOf(state));
  if (port === undefined) return record;
  return withPort(
    record,
    port,
    routesOf(port).filter((each) => keyOf(each) !== key),
  );
}

function withPort(record: JsonObject, port: JsonObject, routes: readonly JsonObject[]): JsonObject {
  const { routes: _before, ...rest } = port;
  const changed = routes.length === 0 ? rest : { ...rest, routes: [...routes] };
  return withPorts(
    record,
    portsOf(record).map((each) => (each === port ? changed : each)),
  );
}

/** The running changes of each domain: its routes are written in turn, because each is a PATCH of the domain. */
const underWay = new Map<string, Promise<unknown>>();

interface RouteChange {
  /** The state that was planned with; undefined for a creation. */
  readonly prior: ObjectValue | undefined;
  readonly become: (record: JsonObject) => JsonObject;
}

/**
 * Patches the domain at its current version, and again after each concurrent write, unless that changes the route.
 * Undefined if the domain does not exist.
 */
async function change(context: ChangeContext, ref: Ref, made: RouteChange): Promise<LiveResource | undefined> {
  const id = formatRef(ref);
  const turn = (underWay.get(id) ?? Promise.resolve()).then(() => changeNow(context, ref, made));
  const settled = turn.catch(() => {});
  underWay.set(id, settled);
  try {
    return await turn;
  } finally {
    if (underWay.get(id) === settled) underWay.delete(id);
  }
}

async function changeNow(
  context: ChangeContext,
  ref: Ref,
  { prior, become }: RouteChange,
): Promise<LiveResource | undefined> {
  const { client } = context;
  const found = await client.read(ref);
  if (found === undefined) return undefined;
  const changed = { kind: 'domain', ref } as const;
  const options = diffOptions(context, ref);
  const changeOfRoute = (live: LiveResource): Change | undefined => {
    const made = diff('domain', live.record, become(live.record), options);
    if (made === undefined) return undefined;
    const shape = shapeOf('domain', live.record);
    return {
      ...changeOf(changed),
      action: 'patch',
      fields: fieldChanges(bySchema(shape), live.record, made.target, options.context),
      patch: bodyOf(changed, made.patch),
      expected: bodyOf(changed, answered(shape, made.proof)),
      liveUid: live.uid,
      liveVersion: live.version,
    };
  };
  const first = changeOfRoute(found);
  if (first === undefined) return found;
  const moved = prior === undefined ? undefined : movedIn(found.record, prior, client.org);
  if (moved !== undefined) throw stale(changed, moved);
  const { live, error } = await runChange(context, first, { replan: (_, now) => changeOfRoute(now) });
  if (error !== undefined) throw error;
  return live ?? found;
}

function diffOptions({ client, discovery }: ChangeContext, ref: Ref) {
  return {
    context: contextOf(ref, client.org),
    directives: directivesOf({ directives: discovery.directives, capabilities: client.capabilities }),
    wasSet: () => true,
  };
}

function takeoverWarning(config: ObjectValue): Diagnostic {
  return {
    severity: 'warning',
    summary: `${formatRef(domainIn(config))} has this route already, and it is taken over`,
    detail: 'An interrupted apply of this configuration has begun to create it, and it is as declared here.',
  };
}

function absent(ref: Ref): ToolError {
  return new ToolError({
    code: 'provider.no-domain',
    message: `${formatRef(ref)} does not exist`,
    hint: 'A route is a part of a domain: create that first, and write domain = gantry_domain.NAME.name.',
  });
}

function noPort(ref: Ref, config: ObjectValue): ToolError {
  const number = portOf(config);
  return new ToolError({
    code: 'provider.no-port',
    message: `${formatRef(ref)} has no port ${String(number)}`,
    hint: `Declare it in the gantry_domain: ports { number = ${String(number)} }.`,
  });
}

function taken(ref: Ref, config: ObjectValue): ToolError {
  return new ToolError({
    code: 'provider.route-exists',
    message: `${formatRef(ref)} has this route already`,
    hint: `To manage it here, import it by the id ${ref.name}:${idIn(config)}.`,
  });
}

/** The route's id within its domain, in the form of an import id. */
function idIn(state: ObjectValue): string {
  return `${String(portOf(state))}:${spelledKey(routeOf(state))}`;
}
