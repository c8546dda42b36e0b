import {
  constant,
  fields,
  flag,
  integer,
  keyed,
  link,
  oneOf,
  optional,
  proposedKey,
  text,
} from '../../schema/facts/define.ts';
import { changesEndpoints, opens, opensBeside } from '../../schema/facts/riskFacts.ts';
import { portNumber } from '../common/fields.ts';

const direct = fields({
  enabled: flag(opens),
  ipSet: optional(link(['ipset'], 'soft')),
  ports: optional(
    keyed(
      fields({
        externalPort: integer({ risk: { ...opensBeside.risk, absentIs: 0 } }, { minimum: 22, maximum: 32_768 }),
        protocol: oneOf(['TCP', 'UDP']),
        scheme: optional(oneOf(['http', 'tcp', 'https', 'ws', 'wss'])),
        containerPort: optional(portNumber()),
      }),
      { ...proposedKey('externalPort', 'protocol'), compare: 'upperCase' },
    ),
  ),
});

function header() {
  return optional(text({}, { minLength: 1, maxLength: 128 }));
}

/** How requests reach the replicas (platform/workload.load-balancer). */
export const loadBalancer = fields(
  {
    replicaDirect: optional(flag(constant(false))),
    direct: optional(direct),
    geoLocation: optional(
      fields({
        enabled: optional(flag(constant(false))),
        headers: optional(fields({ asn: header(), city: header(), country: header(), region: header() })),
      }),
    ),
  },
  changesEndpoints,
);
