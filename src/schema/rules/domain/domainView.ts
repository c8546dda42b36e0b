import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { RecordContext } from '../../record/context.ts';
import { expandLink, parseLink } from '../../record/links.ts';
import type { Ref } from '../../record/ref.ts';
import { type Item, itemsAt } from '../model/reading.ts';
import type { Subject } from '../model/rule.ts';

export interface RouteView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
}

export interface PortView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  /** 443 when omitted, `http2` when omitted (platform/domain). */
  readonly number: number;
  readonly protocol: string;
  readonly routes: readonly RouteView[];
  /** TLS is there, or will be filled in (platform/concepts.filled). */
  readonly endsTls: boolean;
}

/** A link to a workload, and where it is written. */
export interface TargetView {
  readonly ref: Ref;
  readonly pointer: Pointer;
}

/** The data that the rules of a domain use (platform/domain). Defaults are filled in. */
export interface DomainView {
  readonly record: JsonObject;
  readonly context: RecordContext;
  readonly spec: JsonObject;
  readonly name: string;
  readonly dnsMode: string;
  /** As written; absent acts as http01 for cname and dns01 for ns. */
  readonly challenge: string | undefined;
  /** Where ports are omitted, the one port that the platform fills in; its pointer is that of the list. */
  readonly ports: readonly PortView[];
  readonly hasGvcLink: boolean;
  readonly workloadLink: string | undefined;
}

export function domainView({ record, context }: Subject): DomainView {
  const spec = objectAt(record, 'spec');
  const hasGvcLink = Object.hasOwn(spec, 'gvcLink');
  const written = own(spec, 'ports');
  const isWritten = Array.isArray(written) && written.length > 0;
  return {
    record,
    context,
    spec,
    name: stringAt(record, 'name') ?? '',
    dnsMode: stringAt(spec, 'dnsMode') ?? (hasGvcLink ? 'ns' : 'cname'),
    challenge: stringAt(spec, 'certChallengeType'),
    ports: isWritten ? itemsAt(spec, 'ports').map(portView) : [filledPort],
    hasGvcLink,
    workloadLink: stringAt(spec, 'workloadLink'),
  };
}

const filledPort: PortView = {
  value: {},
  pointer: ['spec', 'ports'],
  number: 443,
  protocol: 'http2',
  routes: [],
  endsTls: true,
};

function portView({ index, value }: Item): PortView {
  const pointer = ['spec', 'ports', index];
  const number = numberAt(value, 'number') ?? 443;
  const protocol = stringAt(value, 'protocol') ?? 'http2';
  const routes = itemsAt(value, 'routes').map((route) => ({
    value: route.value,
    pointer: [...pointer, 'routes', route.index],
  }));
  const endsTls = protocol !== 'tcp' && (number === 443 || Object.hasOwn(value, 'tls'));
  return { value, pointer, number, protocol, routes, endsTls };
}

/** The workloads that a route sends requests to: its own, its mirrors, its canaries. */
export function routeTargets({ value, pointer }: RouteView, context: RecordContext): readonly TargetView[] {
  const found: TargetView[] = [];
  const add = (owner: JsonObject, at: Pointer) => {
    const ref = workloadRef(stringAt(owner, 'workloadLink'), context);
    if (ref !== undefined) found.push({ ref, pointer: [...at, 'workloadLink'] });
  };
  add(value, pointer);
  for (const list of ['mirror', 'canaries'] as const) {
    for (const item of itemsAt(value, list)) add(item.value, [...pointer, list, item.index]);
  }
  return found;
}

export function workloadRef(link: string | undefined, context: RecordContext): Ref | undefined {
  const ref = link === undefined ? undefined : parseLink(link, context)?.ref;
  return ref?.kind === 'workload' ? ref : undefined;
}

/** Whether two links, in whatever form, name the same workload. */
export function isSameLink(a: string | undefined, b: string | undefined, context: RecordContext): boolean {
  return a !== undefined && b !== undefined && expandLink(a, context) === expandLink(b, context);
}

/** The GVC that a domain serves, if its links tell. */
export function gvcOf(view: DomainView): string | undefined {
  const link = stringAt(view.spec, 'gvcLink');
  const linked = link === undefined ? undefined : parseLink(link, view.context)?.ref;
  if (linked?.kind === 'gvc') return linked.name;
  const direct = workloadRef(view.workloadLink, view.context);
  if (direct !== undefined) return direct.gvc;
  for (const { routes } of view.ports) {
    for (const route of routes) {
      const [target] = routeTargets(route, view.context);
      if (target !== undefined) return target.ref.gvc;
    }
  }
  return undefined;
}
