import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import { isContainer, type Kind } from '../../schema/record/kinds.ts';
import { expandLink, formatRef, lastSegment, linkOf, parseLink } from '../../schema/record/ref.ts';
import { eachRepeated, itemsAt, show } from '../../schema/rules/reading.ts';
import { known, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

/** The load balancer that names the IP set for its addresses (platform/ipset.addresses). */
export function balancerOf(kind: Kind, record: JsonObject): JsonObject {
  const balancer = objectAt(objectAt(record, 'spec'), 'loadBalancer');
  return isContainer(kind) ? balancer : objectAt(balancer, 'direct');
}

const bothWays: RuleOf<Subject> = {
  id: 'P1',
  section: 'ipset.addresses',
  title: 'An IP set and the load balancer that uses it name each other.',
  severity: 'warning',
  fix:
    'Name the IP set in the load balancer of its target too (gvc: ' +
    'spec.loadBalancer.ipSet, workload: spec.loadBalancer.direct.ipSet).',
  related({ record, context }, related, report) {
    const [name, link] = [stringAt(record, 'name'), stringAt(objectAt(record, 'spec'), 'link')];
    const ref = link === undefined ? undefined : parseLink(link, context)?.ref;
    const target = ref === undefined ? undefined : known(related.get(ref));
    if (name === undefined || ref === undefined || target === undefined) return;
    const linkedIpSet = stringAt(balancerOf(ref.kind, target), 'ipSet');
    const ownLink = linkOf({ kind: 'ipset', name }, context.org);
    if (linkedIpSet !== undefined && expandLink(linkedIpSet, context) === ownLink) return;
    report(['spec', 'link'], `${formatRef(ref)} must name the IP set ${show(name)} too, or its addresses stay unbound`);
  },
};

const locations: RuleOf<Subject> = {
  id: 'ipset.locations',
  section: 'ipset.addresses',
  title: 'An IP set lists each location once.',
  severity: 'error',
  fix: 'Remove one of the two.',
  record({ record }, report) {
    eachRepeated(
      itemsAt(objectAt(record, 'spec'), 'locations'),
      ({ value }) => {
        const location = stringAt(value, 'name');
        return location === undefined ? undefined : lastSegment(location);
      },
      ({ index }, location) =>
        report(['spec', 'locations', index, 'name'], `the location ${show(location)} may be listed only once`),
    );
  },
};

export const ipSetRules = recordRules(['ipset'], [bothWays, locations]);
