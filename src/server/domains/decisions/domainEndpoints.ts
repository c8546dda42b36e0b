import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';

export interface EndpointFacts {
  readonly name: string;
  readonly record: JsonObject;
  /** The links of the workloads of the GVC that `gvcLink` names. */
  readonly workloadLinks: readonly string[];
  /** The number of replicas of the workload of `workloadLink`. */
  readonly replicas: number;
}

/**
 * `status.endpoints` (platform/domain): an address for each port and each route, or with `gvcLink` for each workload
 * (`{workload}.{domain}`), or with `workloadLink` for each replica (`{workload}-{index}.{domain}`); platform/domain.
 */
export function domainEndpoints({ name, record, workloadLinks, replicas }: EndpointFacts): readonly JsonObject[] {
  const spec = objectAt(record, 'spec');
  const direct = stringAt(spec, 'workloadLink');
  const found = new Map<string, JsonObject>();
  const add = (url: string, workloadLink: string): void => {
    found.set(`${url} ${workloadLink}`, { url, workloadLink });
  };
  for (const port of listAt(spec, 'ports').filter(isObject)) {
    if (stringAt(spec, 'gvcLink') !== undefined) {
      for (const link of workloadLinks) add(base(port, `${lastSegment(link)}.${name}`), link);
      continue;
    }
    if (direct !== undefined) {
      for (let index = 0; index < replicas; index += 1) {
        add(base(port, `${lastSegment(direct)}-${index}.${name}`), direct);
      }
      continue;
    }
    for (const route of listAt(port, 'routes').filter(isObject)) {
      const link = stringAt(route, 'workloadLink');
      const prefix = stringAt(route, 'prefix') ?? '/';
      if (link !== undefined) add(`${base(port, name)}${prefix === '/' ? '' : prefix}`, link);
    }
  }
  return [...found.values()];
}

/** Without the default port of the scheme. */
function base(port: JsonObject, host: string): string {
  const number = own(port, 'number') ?? 443;
  if (stringAt(port, 'protocol') === 'tcp') return `tcp://${host}:${String(number)}`;
  const tls = isObject(own(port, 'tls'));
  const usual = tls ? 443 : 80;
  return `${tls ? 'https' : 'http'}://${host}${number === usual ? '' : `:${String(number)}`}`;
}
