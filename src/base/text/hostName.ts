export interface NamedHost {
  /** Lower case; an IPv6 address without its brackets. */
  readonly name: string;
  /** As browsers write it: without port 80. */
  readonly text: string;
}

const hostHeader = /^([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/;

/** The host of a `Host` header. Undefined if it is missing or not a host. */
export function readHost(header: string | undefined): NamedHost | undefined {
  const [, host, port] = hostHeader.exec(header ?? '') ?? [];
  if (host === undefined) return undefined;
  const lower = host.toLowerCase();
  const name = lower.startsWith('[') ? lower.slice(1, -1) : lower;
  return { name, text: port === undefined || Number(port) === 80 ? lower : `${lower}:${Number(port)}` };
}

/** Whether a name always means this machine, regardless of DNS. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** The same for a URL. */
export function leadsToLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
