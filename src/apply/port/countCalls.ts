import type { PlatformPort } from './port.ts';

/** The port, and how many requests went through it: its own count where it has one, else its calls. */
export function countCalls(port: PlatformPort): { readonly counted: PlatformPort; readonly requests: () => number } {
  const before = port.requests?.() ?? 0;
  let calls = 0;
  function count<T>(call: Promise<T>): Promise<T> {
    calls += 1;
    return call;
  }
  const counted: PlatformPort = {
    create: (ref, body, marked) => count(port.create(ref, body, marked)),
    tryCreate: (ref, body, marked) => count(port.tryCreate(ref, body, marked)),
    patch: (ref, body, marked) => count(port.patch(ref, body, marked)),
    delete: (ref, again) => count(port.delete(ref, again)),
    read: (ref) => count(port.read(ref)),
    children: (gvc) => count(port.children(gvc)),
    deployments: (ref) => count(port.deployments(ref)),
    owned: (owner, kinds, expected) => count(port.owned(owner, kinds, expected)),
    ...(port.capabilities === undefined ? {} : { capabilities: port.capabilities }),
  };
  return { counted, requests: () => (port.requests === undefined ? calls : port.requests() - before) };
}
