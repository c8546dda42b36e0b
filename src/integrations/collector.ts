import { compact } from '../base/json/present.ts';
import type { Environment } from '../project/session/session.ts';

/** The collector of traces, from the variables of OpenTelemetry. */
export interface Collector {
  readonly url: string;
  /** Secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The resource that the traces describe. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Undefined if nothing is collected. Without variables of OpenTelemetry, only this function runs. */
export function collectorOf(environment: Environment): Collector | undefined {
  const variable = (name: string): string | undefined => environment[`OTEL_${name}`] || undefined;
  const of = (name: string): string | undefined =>
    variable(`EXPORTER_OTLP_TRACES_${name}`) ?? variable(`EXPORTER_OTLP_${name}`);
  const base = variable('EXPORTER_OTLP_ENDPOINT')?.replace(/\/+$/, '');
  const url = variable('EXPORTER_OTLP_TRACES_ENDPOINT') ?? (base === undefined ? undefined : `${base}/v1/traces`);
  const isOff = variable('SDK_DISABLED')?.toLowerCase() === 'true' || variable('TRACES_EXPORTER') === 'none';
  if (url === undefined || isOff || !URL.canParse(url)) return undefined;
  return {
    url,
    headers: parsePairs(of('HEADERS') ?? ''),
    resource: {
      ...parsePairs(variable('RESOURCE_ATTRIBUTES') ?? ''),
      'service.name':
        variable('SERVICE_NAME') ?? parsePairs(variable('RESOURCE_ATTRIBUTES') ?? '')['service.name'] ?? 'gantry',
    },
  };
}

/** `key=value,key=value`, percent-encoded (W3C Baggage). Invalid pairs are ignored. */
function parsePairs(text: string): Readonly<Record<string, string>> {
  const pairs = compact(text.split(','), (pair): readonly [string, string] | undefined => {
    const at = pair.indexOf('=');
    const [key, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    return at <= 0 || key === '' ? undefined : [key, decoded(value)];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
