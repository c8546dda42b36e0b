import type { Renaming, Way } from './renaming.ts';

/** A link to an audit context, or a path below it: `/org/o/auditctx/x`, `//auditctx/x`, `/audit/org/o/auditctx/x`. */
const contextPath = /^((?:https?:\/\/[^/?#]+)?(?:\/audit)?(?:\/org\/[^/?#]+|\/)\/auditctx\/)([^/?#]+)/;
/** An audit trail asked for by the name of a context. */
const trailPath =
  /^((?:https?:\/\/[^/?#]+)?\/audit\/org\/[^/?#]+\/resource\/name\/)([^/?#]+)(?=\?(?:[^#]*&)?resourceType=auditctx(?:&|$))/;
const contextParameter = /([?&]contextName=)([^&#]*)/g;

/**
 * Paths: nothing in them has words of the installation but the audit context that every org has (platform/audit.trail).
 */
export function addresses(context: Renaming): Renaming {
  function rename(address: string, way: Way): string {
    if (!address.includes('/auditctx/') && !address.includes('/audit/')) return address;
    const word = context[way];
    return address
      .replace(contextPath, (_, before: string, name: string) => before + word(name))
      .replace(trailPath, (_, before: string, name: string) => before + word(name))
      .replace(contextParameter, (_, before: string, name: string) => before + word(name));
  }
  return { toWire: (address) => rename(address, 'toWire'), toNeutral: (address) => rename(address, 'toNeutral') };
}
