import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  fields,
  integer,
  keyed,
  link,
  oneOf,
  optional,
  proposedKey,
  set,
  text,
} from '../../schema/facts/define.ts';
import type { FieldFacts } from '../../schema/facts/fieldFacts.ts';
import { allows, allowsByType, allowsOnly, blocks, changesEndpoints, grants } from '../../schema/facts/riskFacts.ts';

const block = patterns.block.pattern;

function addresses(facts: FieldFacts, keywords = {}) {
  return optional(set(text({}, { pattern: block }), { ...facts, canonical: 'cidrs' }, keywords));
}

const external = fields({
  inboundAllowCIDR: addresses(allows, { maxItems: 250 }),
  inboundBlockedCIDR: addresses(blocks),
  outboundAllowHostname: optional(set(text({}, { maxLength: 128, pattern: patterns.hostname.pattern }), allows)),
  outboundAllowCIDR: addresses(allows),
  outboundBlockedCIDR: addresses(blocks),
  outboundAllowPort: optional(
    keyed(
      fields({ protocol: oneOf(['tcp', 'http', 'https']), number: integer({}, { minimum: 1, maximum: 65_535 }) }),
      { ...proposedKey('protocol', 'number'), compare: 'ignoreCase' },
      grants,
    ),
  ),
  http: optional(
    fields({
      inboundHeaderFilter: optional(
        keyed(
          fields({
            key: text({ ...blocks, ignoreCase: true }, { minLength: 1, maxLength: 128 }),
            allowedValues: optional(set(text(), allowsOnly)),
            blockedValues: optional(set(text(), blocks)),
          }),
          { ...proposedKey('key'), compare: 'ignoreCase' },
        ),
      ),
    }),
  ),
});

const internal = fields({
  inboundAllowType: optional(
    oneOf(['none', 'same-gvc', 'same-org', 'workload-list'], { ...constant('none'), ...allowsByType }),
  ),
  inboundAllowWorkload: optional(set(firewallPeer(), allows)),
});

/**
 * A workload, an agent, or the platform's own `scheme://internal/keda` (platform/concepts.links,
 * platform/workload.firewall).
 */
function firewallPeer() {
  const peer = link(['workload', 'agent'], 'none');
  return { ...peer, pattern: patterns.firewallPeer.pattern };
}

/** Everything is closed when it is absent (platform/workload.firewall). */
export const firewallConfig = fields({ external: optional(external), internal: optional(internal) }, changesEndpoints);
