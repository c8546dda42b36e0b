import { numberAt, objectAt, stringAt } from '../../base/json/json.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import { itemsAt, show } from '../../schema/rules/reading.ts';
import { known, type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { hasDedicatedBalancer } from '../gvc/gvcView.ts';
import { reservedPorts, servedPorts } from '../workload/workloadView.ts';
import {
  apexOf,
  type DomainView,
  domainView,
  gvcOf,
  gvcRecord,
  isApex,
  isHostName,
  parentsOf,
  routeTargets,
  workloadRef,
} from './domainView.ts';

const dedicatedForPorts: RuleOf<DomainView> = {
  id: 'D11',
  section: 'domain.routing',
  title: 'Ports other than 80 and 443, and tcp, need a GVC with a dedicated load balancer.',
  severity: 'warning',
  fix: 'Set spec.loadBalancer.dedicated: true in the GVC.',
  related(view, related, report) {
    const special = view.ports.filter(
      ({ number, protocol }) => protocol === 'tcp' || (number !== 80 && number !== 443),
    );
    if (special.length === 0) return;
    const gvc = gvcRecord(view, related);
    if (gvc === undefined || hasDedicatedBalancer(gvc)) return;
    for (const { number, protocol, pointer } of special) {
      report(
        pointer,
        `the port ${number} (${protocol}) needs a dedicated load balancer in the GVC ${show(gvcOf(view))}`,
      );
    }
  },
};

const reservedWithDedicated: RuleOf<DomainView> = {
  id: 'domain.reserved-port',
  section: 'domain.routing',
  title: 'With a dedicated load balancer a domain cannot use the ports that the platform reserves.',
  severity: 'error',
  fix: `Choose another port; reserved are ${[...reservedPorts].join(', ')}.`,
  related(view, related, report) {
    const reserved = view.ports.filter(({ number }) => reservedPorts.has(number));
    if (reserved.length === 0) return;
    const gvc = gvcRecord(view, related);
    if (gvc === undefined || !hasDedicatedBalancer(gvc)) return;
    for (const { number, pointer } of reserved)
      report([...pointer, 'number'], `the port ${number} is reserved by the platform`);
  },
};

const apexFirst: RuleOf<DomainView> = {
  id: 'D14',
  section: 'domain.names',
  title: 'A subdomain in the DNS mode ns needs its apex domain in the org.',
  severity: 'error',
  fix: 'Create the apex domain first.',
  related({ name, dnsMode }, related, report) {
    if (dnsMode !== 'ns' || !isHostName(name) || isApex(name)) return;
    const apex = apexOf(name);
    if (apex !== undefined && related.get({ kind: 'domain', name: apex }) === undefined) {
      report(['name'], `the apex domain ${show(apex)} does not exist`);
    }
  },
};

const belowNs: RuleOf<DomainView> = {
  id: 'D16',
  section: 'domain.names',
  title: 'A domain in the DNS mode cname is not below one in the mode ns.',
  severity: 'error',
  fix: 'Use dnsMode: ns here too, or cname for the parent.',
  related({ name, dnsMode, context }, related, report) {
    if (dnsMode !== 'cname' || !isHostName(name)) return;
    for (const parent of parentsOf(name)) {
      const record = known(related.get({ kind: 'domain', name: parent }));
      if (record === undefined) continue;
      if (domainView({ kind: 'domain', record, context }).dnsMode === 'ns') {
        report(['name'], `the domain ${show(parent)} above ${show(name)} must not have the DNS mode ns`);
      }
    }
  },
};

const replica: RuleOf<DomainView> = {
  id: 'D19',
  section: 'domain.routing',
  title: 'A route to one replica goes to a stateful workload.',
  severity: 'warning',
  fix: 'Remove replica, or route to a stateful workload.',
  related({ routes, context }, related, report) {
    for (const { value, pointer } of routes) {
      if (!Object.hasOwn(value, 'replica')) continue;
      const ref = workloadRef(stringAt(value, 'workloadLink'), context);
      const workload = ref === undefined ? undefined : known(related.get(ref));
      if (workload === undefined || workloadTypeOf(workload) === 'stateful') continue;
      report(
        [...pointer, 'replica'],
        `the workload ${show(ref?.name)} must be stateful, as a ${workloadTypeOf(workload)} one has no numbered replicas`,
      );
    }
  },
};

const targetPort: RuleOf<DomainView> = {
  id: 'domain.route-port',
  section: 'domain.routing',
  title: 'The port of a route is one that its workload serves.',
  severity: 'warning',
  fix: 'Name a port of a container of the workload, or leave port out.',
  related({ routes, context }, related, report) {
    for (const route of routes) {
      const port = numberAt(route.value, 'port');
      const [target] = routeTargets(route, context);
      const workload = port === undefined || target === undefined ? undefined : known(related.get(target.ref));
      if (workload === undefined) continue;
      const served = itemsAt(objectAt(workload, 'spec'), 'containers').flatMap(({ value }) => servedPorts(value, []));
      if (served.some(({ number }) => number === port)) continue;
      report([...route.pointer, 'port'], `the workload ${show(target?.ref.name)} must serve the port ${port}`);
    }
  },
};

export const domainRelatedRules = ruleGroup(['domain'], domainView, [
  dedicatedForPorts,
  reservedWithDedicated,
  apexFirst,
  belowNs,
  replica,
  targetPort,
]);
