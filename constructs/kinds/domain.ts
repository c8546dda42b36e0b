import type { Construct } from 'constructs';
import type { DomainProps, PrefixRoute, RouteSettings } from '../../generated/interfaces/props.ts';
import { ToolError } from '../../src/base/toolError.ts';
import type { ListPlace } from '../additions.ts';
import { Existing } from '../existing.ts';
import { DomainLists } from '../generated/lists.ts';
import { report } from '../mistakes.ts';
import type { Origin } from '../origin.ts';
import { ownFields } from '../ownFields.ts';
import type { LinkTo, Reference } from '../references.ts';

/** The options of a route besides its path and its workload. */
export interface RouteOptions extends RouteSettings {
  /** Replaces the prefix before the request is forwarded. */
  readonly replacePrefix?: PrefixRoute['replacePrefix'];
  /** The port of the domain that has the route; it is added if the domain does not list it. @default 443 */
  readonly on?: number | undefined;
}

/** A host name, and the workloads that get its requests. Its name is the host name. */
export class Domain extends DomainLists {
  readonly #isOfGvc: boolean;

  constructor(scope: Construct, id: string, props: DomainProps = {}) {
    super(scope, id, 'domain', props, { spec: ownFields(props) });
    this.#isOfGvc = props.gvcLink !== undefined;
  }

  /** A domain that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'domain'> {
    return new Existing(scope, id, { kind: 'domain', name });
  }

  /** A domain that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'domain'>): Existing<'domain'> {
    return new Existing(scope, id, { kind: 'domain', link });
  }

  /**
   * Sends requests whose path begins with a text to a workload, after the existing routes of the domain:
   * `domain.route('/api', api, { port: 8080 })`. All workloads of a domain are in one GVC.
   *
   * Errors: `stack.route` for a domain with a `gvcLink`, which has no routes.
   */
  route(path: `/${string}`, workload: Reference<'workload'>, { on, ...options }: RouteOptions = {}): this {
    return this.addRoute({ prefix: path, workloadLink: workload, ...options }, { on });
  }

  /**
   * Sends requests whose path matches a regular expression (RE2, as text) to a workload.
   *
   * Errors: those of `route`.
   */
  routeRegex(
    regex: string,
    workload: Reference<'workload'>,
    { on, ...options }: Omit<RouteOptions, 'replacePrefix'> = {},
  ): this {
    return this.addRoute({ regex, workloadLink: workload, ...options }, { on });
  }

  protected override addItem(place: ListPlace, item: unknown, origin: Origin): this {
    if (!this.#isOfGvc || place.at(-1) !== 'routes') return super.addItem(place, item, origin);
    const error = new ToolError({
      code: 'stack.route',
      message: `the domain "${this.name}" gives every workload of a GVC a host (gvcLink), and has no routes`,
      hint: 'Remove gvcLink, or make another domain for the routes.',
    });
    report(error, this, origin);
    return this;
  }
}
