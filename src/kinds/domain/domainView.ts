import { getDomain } from 'tldts';
import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import { expandLink, parseLink, type RecordContext, type Ref } from '../../schema/record/ref.ts';
import { isTrue, itemsAt, show } from '../../schema/rules/reading.ts';
import { known, type Related, type Report, type Subject } from '../../schema/rules/rule.ts';
import { hasDedicatedBalancer } from '../gvc/gvcView.ts';

export interface RouteView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  readonly port: PortView;
}

/** A declared port, or the one that the platform fills in. */
export class PortView {
  readonly value: JsonObject;
  readonly pointer: Pointer;
  #routes: readonly RouteView[] | undefined;

  constructor(value: JsonObject, pointer: Pointer) {
    this.value = value;
    this.pointer = pointer;
  }

  /** 443 when omitted, `http2` when omitted (platform/domain). */
  get number(): number {
    return numberAt(this.value, 'number') ?? 443;
  }

  get protocol(): string {
    return stringAt(this.value, 'protocol') ?? 'http2';
  }

  get routes(): readonly RouteView[] {
    this.#routes ??= itemsAt(this.value, 'routes').map(({ value, index }) => ({
      value,
      pointer: [...this.pointer, 'routes', index],
      port: this,
    }));
    return this.#routes;
  }

  /** Whether it has TLS, declared or to be filled in (platform/concepts.filled). */
  get endsTls(): boolean {
    return this.protocol !== 'tcp' && (this.number === 443 || Object.hasOwn(this.value, 'tls'));
  }
}

/** A link to a workload, and its place. */
export interface TargetView {
  readonly ref: Ref;
  readonly pointer: Pointer;
}

/** The data for the rules of a domain (platform/domain), with defaults filled in; read lazily, when a rule needs it. */
export class DomainView {
  readonly record: JsonObject;
  readonly context: RecordContext;
  #ports: readonly PortView[] | undefined;

  constructor({ record, context }: Subject) {
    this.record = record;
    this.context = context;
  }

  get spec(): JsonObject {
    return objectAt(this.record, 'spec');
  }

  get name(): string {
    return stringAt(this.record, 'name') ?? '';
  }

  get dnsMode(): string {
    return stringAt(this.spec, 'dnsMode') ?? (this.hasGvcLink ? 'ns' : 'cname');
  }

  /** The declared value; absent acts as http01 for cname and dns01 for ns. */
  get challenge(): string | undefined {
    return stringAt(this.spec, 'certChallengeType');
  }

  /** Without declared ports, the one port that the platform fills in; its pointer is the list's. */
  get ports(): readonly PortView[] {
    this.#ports ??= this.#readPorts();
    return this.#ports;
  }

  #readPorts(): readonly PortView[] {
    const written = own(this.spec, 'ports');
    const isWritten = Array.isArray(written) && written.length > 0;
    return isWritten
      ? itemsAt(this.spec, 'ports').map(({ index, value }) => new PortView(value, ['spec', 'ports', index]))
      : [new PortView({}, ['spec', 'ports'])];
  }

  /** The routes of all ports, generated one by one: of a partial record a rule then reads no more than it needs. */
  get routes(): Iterable<RouteView> {
    return this.#readRoutes();
  }

  *#readRoutes(): Generator<RouteView> {
    for (const { routes } of this.ports) yield* routes;
  }

  get hasGvcLink(): boolean {
    return Object.hasOwn(this.spec, 'gvcLink');
  }

  get workloadLink(): string | undefined {
    return stringAt(this.spec, 'workloadLink');
  }
}

export function domainView(subject: Subject): DomainView {
  return new DomainView(subject);
}

/** The workloads that receive requests of a route: its own, its mirrors, its canaries. */
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

/** The GVC that a domain serves, if its links show it. */
export function gvcOf(view: DomainView): string | undefined {
  const link = stringAt(view.spec, 'gvcLink');
  const linked = link === undefined ? undefined : parseLink(link, view.context)?.ref;
  if (linked?.kind === 'gvc') return linked.name;
  const direct = workloadRef(view.workloadLink, view.context);
  if (direct !== undefined) return direct.gvc;
  for (const route of view.routes) {
    const [target] = routeTargets(route, view.context);
    if (target !== undefined) return target.ref.gvc;
  }
  return undefined;
}

export function gvcRecord(view: DomainView, related: Related): JsonObject | undefined {
  const name = gvcOf(view);
  return name === undefined ? undefined : known(related.get({ kind: 'gvc', name }));
}

/** The part of D7 that checks the workload. */
export function checkDirectTarget({ workloadLink, context }: DomainView, related: Related, report: Report): void {
  const ref = workloadRef(workloadLink, context);
  const workload = ref === undefined ? undefined : known(related.get(ref));
  if (workload !== undefined && workloadTypeOf(workload) !== 'stateful') {
    report(
      ['spec', 'workloadLink'],
      `the workload ${show(ref?.name)} must be stateful, not ${workloadTypeOf(workload)}`,
    );
  }
}

/** The part of D8 that checks the GVC. */
export function checkDedicated(view: DomainView, related: Related, report: Report): void {
  for (const key of ['acceptAllHosts', 'acceptAllSubdomains'] as const) {
    if (!isTrue(view.spec, key)) continue;
    const gvc = gvcRecord(view, related);
    if (gvc !== undefined && !hasDedicatedBalancer(gvc)) {
      report(['spec', key], `the GVC ${show(gvcOf(view))} needs a dedicated load balancer`);
    }
  }
}

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** A fully qualified host name in lower case with a top-level domain (platform/concepts.names). */
export function isHostName(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.length >= 2 && labels.every((part) => label.test(part));
}

/** The registrable root of a name (or the name itself), by the public suffix list; undefined if there is none. */
export function apexOf(name: string): string | undefined {
  return getDomain(name) ?? undefined;
}

export function isApex(name: string): boolean {
  return apexOf(name) === name;
}

/** `a.b.example.com` gives `b.example.com` and `example.com`: the names of possible parent domains. */
export function parentsOf(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}
