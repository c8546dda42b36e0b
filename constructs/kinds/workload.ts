import type { Construct } from 'constructs';
import type { WorkloadFields } from '../../generated/interfaces/props.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { internalDomain } from '../../src/schema/facts/hostNames.ts';
import type { WorkloadType } from '../../src/schema/facts/workloadTypes.ts';
import { withEnvironment } from '../environment.ts';
import { Existing } from '../existing.ts';
import { WorkloadLists } from '../generated/lists.ts';
import { linkOf } from '../grants.ts';
import { refOfLink } from '../linkable.ts';
import { isUnusable, report } from '../mistakes.ts';
import { Origin } from '../origin.ts';
import { ownFields } from '../ownFields.ts';
import type { InternalUri, LinkTo, Reference } from '../references.ts';
import type { Content } from '../resource.ts';
import type { GvcOption, Target } from '../target.ts';

/** A permitted caller of a workload: a workload, an agent, or a part of the platform. */
export type Caller = Reference<'workload' | 'agent'> | InternalUri;

interface Allowed {
  readonly callers: readonly Caller[];
  readonly origin: Origin;
}

/** Containers of one type (serverless, standard, stateful, cron) in the locations of its GVC. */
export class Workload<Type extends WorkloadType = WorkloadType> extends WorkloadLists<Type> {
  readonly type: Type;
  readonly #props: WorkloadFields[WorkloadType];
  readonly #allowed: Allowed[] = [];

  /**
   * Only `type` determines the props: the compiler then reports errors in the props of that type, and an editor shows
   * their documentation, which it does not find in a union.
   */
  constructor(
    scope: Construct,
    id: string,
    props: {
      /** How it runs, and which props exist. */
      readonly type: Type;
    } & WorkloadFields[Type],
  ) {
    const { type, identity } = props;
    super(scope, id, 'workload', props, { spec: { type, identityLink: identity, ...ownFields(props, 'identity') } });
    this.type = type;
    this.#props = props;
  }

  /** A workload that exists without this stack. `gvc`: needed if the scope is not in it. Errors: `stack.scope`. */
  static fromName(scope: Construct, id: string, name: string, { gvc }: GvcOption = {}): ExistingWorkload {
    return new ExistingWorkload(scope, id, { kind: 'workload', name, gvc });
  }

  /** A workload that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'workload'>): ExistingWorkload {
    return new ExistingWorkload(scope, id, { kind: 'workload', link });
  }

  /**
   * Its external address (`status.canonicalEndpoint`), which the platform returns after its creation: for a field, a
   * text, or an `Output`.
   */
  get url(): string {
    return this.live('status.canonicalEndpoint');
  }

  /** The host name for calls from other workloads, `WORKLOAD.GVC.DOMAIN`. See `internalUrl`. */
  get internalHost(): string {
    return internalHost(this);
  }

  /**
   * The address for calls from other workloads: `http://api.shop.internal.example:8080`. Without a port, the first one
   * is used. The scheme follows from the protocol of the port (`http`, `grpc`, `tcp`). `internal.example` is the domain
   * of the embedded platform; set that of another one on the tree: `app.node.setContext('gantry:internal-domain', …)`.
   *
   * Errors: `stack.port` for a port that no container has.
   */
  internalUrl(port?: number, options: InternalUrlOptions = {}): string {
    return internalUrl(this, port, { ...options, ports: portsOf(this.contentSoFar) });
  }

  /**
   * Lets workloads and agents call it: adds them to `firewallConfig.internal.inboundAllowWorkload`. If
   * `inboundAllowType` is not set, it becomes `workload-list`; with `same-org` every workload may call already, and
   * workloads are not listed.
   *
   * Errors: `stack.firewall` if the props allow no callers, and for an agent beside `same-org`.
   */
  allowFrom(...callers: readonly Caller[]): this {
    const type = this.#props.firewallConfig?.internal?.inboundAllowType;
    const listed = type === 'same-org' ? callers.filter((caller) => !isWorkload(caller)) : callers;
    const origin = new Origin(this.allowFrom);
    if (type === 'none' || (type === 'same-org' && listed.length > 0)) {
      report(notAllowed(this.name, type), this, origin);
      return this;
    }
    this.#allowed.push({ callers: listed, origin });
    return this;
  }

  protected override content(content: Content): Content {
    const { containers, firewallConfig } = this.#props;
    const spec = {
      ...Object(content['spec']),
      containers: Array.isArray(containers) ? containers.map(withEnvironment) : containers,
    };
    if (this.#allowed.every(({ callers }) => callers.length === 0)) return { ...content, spec };
    const { internal } = firewallConfig ?? {};
    const list: Caller[] = [...(internal?.inboundAllowWorkload ?? [])];
    for (const { callers, origin } of this.#allowed) {
      for (const caller of callers) {
        if (list.some((other) => linkOf(other) === linkOf(caller))) continue;
        this.placeAt(['spec', 'firewallConfig', 'internal', 'inboundAllowWorkload', list.length], origin);
        list.push(caller);
      }
    }
    const inboundAllowType = internal?.inboundAllowType ?? 'workload-list';
    const opened = { ...internal, inboundAllowType, inboundAllowWorkload: list };
    return { ...content, spec: { ...spec, firewallConfig: { ...firewallConfig, internal: opened } } };
  }
}

/** A workload that exists without this stack. */
export class ExistingWorkload extends Existing<'workload'> {
  /**
   * Its external address (`status.canonicalEndpoint`), which the platform returns after its creation: for a field, a
   * text, or an `Output`.
   */
  get url(): string {
    return this.live('status.canonicalEndpoint');
  }

  /** The host name for calls from other workloads, `WORKLOAD.GVC.DOMAIN`. */
  get internalHost(): string {
    return internalHost(this);
  }

  /** The address for calls from other workloads; like that of a workload of the stack, but the port is required. */
  internalUrl(port: number, options: InternalUrlOptions = {}): string {
    return internalUrl(this, port, options);
  }
}

function isWorkload(caller: Caller): boolean {
  return (typeof caller === 'string' ? refOfLink(caller)?.kind : caller.kind) === 'workload';
}

function notAllowed(name: string, type: 'none' | 'same-org'): ToolError {
  const why = type === 'none' ? 'says that nobody may call it' : 'lets workloads call it, and nobody else';
  return new ToolError({
    code: 'stack.firewall',
    message: `the workload "${name}" ${why} (firewallConfig.internal.inboundAllowType: '${type}')`,
    hint: "Remove inboundAllowType, or set it to 'workload-list': allowFrom adds to the list.",
  });
}

interface InternalUrlOptions {
  /** Scheme of the address. @default that of the protocol of the port; `http` if it is not known */
  readonly scheme?: string | undefined;
}

/** A port that a workload listens on. */
interface ServedPort {
  readonly number: number;
  readonly protocol?: 'http' | 'http2' | 'grpc' | 'tcp' | undefined;
}

const schemes = { http: 'http', http2: 'http', grpc: 'grpc', tcp: 'tcp' } as const;

/** The key in the tree for the domain of an installation that differs from the embedded platform's. */
const domainKey = 'gantry:internal-domain';

/** `WORKLOAD.GVC.DOMAIN` (platform/lifecycle.endpoints). */
function internalHost(workload: Target<'workload'>): string {
  const { gvc, name, node } = workload;
  if (gvc === undefined) {
    const error = wrong(
      `the address of the workload "${name}" is not known here: its GVC comes from --gvc or gantry.yaml`,
      'Make it inside of a Gvc, or name the GVC: gvc: "shop".',
    );
    if (!isUnusable(workload)) report(error, workload); // otherwise there is no GVC, which was reported
  }
  const domain: unknown = node.tryGetContext(domainKey);
  return `${name}.${gvc ?? 'gvc'}.${typeof domain === 'string' ? domain : internalDomain}`;
}

/** `ports`: those of the workload; absent if they are unknown. */
function internalUrl(
  workload: Target<'workload'>,
  port: number | undefined,
  { ports, scheme }: InternalUrlOptions & { readonly ports?: readonly ServedPort[] },
): string {
  const served = port === undefined ? ports?.[0] : ports?.find(({ number }) => number === port);
  const number = port ?? served?.number;
  if (number === undefined || (ports !== undefined && served === undefined)) {
    const known = ports === undefined || ports.length === 0 ? 'none' : ports.map((each) => each.number).join(', ');
    const what = port === undefined ? 'no port' : `no port ${port}`;
    report(wrong(`the workload "${workload.name}" has ${what}`, `Ports of its containers: ${known}.`), workload);
  }
  return `${scheme ?? schemes[served?.protocol ?? 'http']}://${internalHost(workload)}:${number ?? 80}`;
}

/** The ports of all containers. */
function portsOf({ spec }: Content): readonly ServedPort[] {
  const { containers = [] }: { readonly containers?: readonly { readonly ports?: readonly ServedPort[] }[] } =
    Object(spec);
  return containers.flatMap(({ ports = [] }) => ports);
}

function wrong(message: string, hint: string): ToolError {
  return new ToolError({ code: 'stack.port', message, hint });
}
