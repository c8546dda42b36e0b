import { numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { holdsSomething, isTrue, itemsAt, show, tagIsTrue } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup } from '../../schema/rules/rule.ts';
import { checkName, namePattern } from '../common/envelope.ts';
import { type WorkloadView, workloadView } from './workloadView.ts';

const sameType: RuleOf<WorkloadView> = {
  id: 'W1',
  section: 'workload.types',
  title: 'The type of a workload cannot be changed.',
  severity: 'error',
  fix: 'Delete the workload and create it with the new type.',
  change(before, after, report) {
    if (before.type !== after.type) {
      report(['spec', 'type'], `the type ${show(before.type)} cannot be changed to ${show(after.type)}`);
    }
  },
};

const httpProtocols: ReadonlySet<string> = new Set(['http', 'http2', 'grpc']);

const onePort: RuleOf<WorkloadView> = {
  id: 'W6',
  section: 'workload.types',
  title: 'Serverless: exactly one container has a port, exactly one, of the protocol http, http2 or grpc.',
  severity: 'error',
  comparesItems: true,
  fix: 'Remove all ports but one HTTP port, or use the type standard or stateful.',
  record({ type, containers }, report) {
    if (type !== 'serverless') return;
    const ports = containers.flatMap(({ served }) => served);
    const [only] = ports;
    if (only === undefined || ports.length !== 1) {
      report(
        ['spec', 'containers'],
        `a serverless workload must serve exactly one port, this one serves ${ports.length}`,
      );
    } else if (!httpProtocols.has(only.protocol)) {
      report(
        [...only.pointer.slice(0, -1), 'protocol'],
        `the port ${only.number} has the protocol ${show(only.protocol)}; a ` +
          'serverless workload must serve http, http2 or grpc',
      );
    }
  },
};

const portVariable: RuleOf<WorkloadView> = {
  id: 'W7',
  section: 'workload.env',
  title: 'Serverless: the environment variable PORT, if it is set, is the port.',
  severity: 'error',
  fix: 'Remove PORT, which the platform sets, or set it to the port.',
  record({ type, containers }, report) {
    if (type !== 'serverless') return;
    for (const { value, pointer, label, served } of containers) {
      const [port] = served;
      if (port === undefined) continue;
      for (const { index, value: variable } of itemsAt(value, 'env')) {
        const text = own(variable, 'value');
        if (stringAt(variable, 'name') !== 'PORT' || String(text) === String(port.number)) continue;
        report(
          [...pointer, 'env', index, 'value'],
          `PORT must be ${port.number}, the port of the container ${label}, not ${show(text)}`,
        );
      }
    }
  },
};

const cronServes: RuleOf<WorkloadView> = {
  id: 'W8',
  section: 'workload.types',
  title: 'Cron: no scaling to zero.',
  severity: 'error',
  fix: 'Remove minScale: 0.',
  record({ type, options }, report) {
    if (type !== 'cron') return;
    for (const { autoscaling, pointer } of options) {
      if (numberAt(autoscaling, 'minScale') === 0) {
        report([...pointer, 'autoscaling', 'minScale'], 'a cron workload cannot scale to zero');
      }
    }
  },
};

const cronPorts: RuleOf<WorkloadView> = {
  id: 'W8.ports',
  section: 'workload.types',
  title: 'Cron: no ports.',
  severity: 'error',
  lenient: true,
  fix: 'Remove the ports.',
  record({ type, containers }, report) {
    if (type !== 'cron') return;
    for (const { label, served } of containers) {
      for (const port of served) {
        report(port.pointer, `the container ${label} of a cron workload cannot have the port ${port.number}`);
      }
    }
  },
};

const cronProbes: RuleOf<WorkloadView> = {
  id: 'W9',
  section: 'workload.types',
  title: 'Cron: no probes.',
  severity: 'error',
  lenient: true,
  fix: 'Remove the probe.',
  record({ type, containers }, report) {
    if (type !== 'cron') return;
    for (const { value, pointer, label } of containers) {
      for (const probe of ['readinessProbe', 'livenessProbe'] as const) {
        if (Object.hasOwn(value, probe)) {
          report([...pointer, probe], `the container ${label} of a cron workload cannot have a ${probe}`);
        }
      }
    }
  },
};

const job: RuleOf<WorkloadView> = {
  id: 'W10',
  section: 'workload.job',
  title: 'Cron workloads have a job, others have none.',
  severity: 'error',
  fix: 'Give a cron workload spec.job; remove it from any other type.',
  record({ type, spec }, report) {
    const present = Object.hasOwn(spec, 'job');
    if (type === 'cron' && !present) report(['spec', 'job'], 'a cron workload needs a job');
    if (type !== 'cron' && present) report(['spec', 'job'], `a workload of the type ${show(type)} cannot have a job`);
  },
};

const cronLocalOptions: RuleOf<WorkloadView> = {
  id: 'W11',
  section: 'workload.types',
  title: 'Cron: no localOptions.',
  severity: 'error',
  fix: 'Remove localOptions; defaultOptions apply to all locations.',
  record({ type, spec }, report) {
    if (type === 'cron' && holdsSomething(spec, 'localOptions')) {
      report(['spec', 'localOptions'], 'a cron workload cannot have localOptions');
    }
  },
};

const cronMinimums: RuleOf<WorkloadView> = {
  id: 'W12',
  section: 'workload.types',
  title: 'Cron: no minCpu and no minMemory.',
  severity: 'error',
  lenient: true,
  fix: 'Remove it.',
  record({ type, containers }, report) {
    if (type !== 'cron') return;
    for (const { value, pointer, label } of containers) {
      for (const key of ['minCpu', 'minMemory'] as const) {
        if (Object.hasOwn(value, key))
          report([...pointer, key], `the container ${label} of a cron workload cannot have ${key}`);
      }
    }
  },
};

const cronIgnores: RuleOf<WorkloadView> = {
  id: 'W12.ignored',
  section: 'workload.types',
  title: 'Cron: autoscaling, timeoutSeconds and debug have no effect.',
  severity: 'warning',
  where: 'offline',
  fix: 'Remove it.',
  record({ type, options }, report) {
    if (type !== 'cron') return;
    for (const { value, pointer } of options) {
      for (const key of ['autoscaling', 'timeoutSeconds', 'debug'] as const) {
        if (holdsSomething(value, key)) report([...pointer, key], `${key} has no effect on a cron workload`);
      }
    }
  },
};

const statefulCapacityAi: RuleOf<WorkloadView> = {
  id: 'W13',
  section: 'workload.capacity-ai',
  title: 'Stateful: no Capacity AI.',
  severity: 'error',
  fix: 'Set capacityAI: false, or leave it out.',
  record({ type, options }, report) {
    if (type !== 'stateful') return;
    for (const { value, pointer } of options) {
      if (isTrue(value, 'capacityAI'))
        report([...pointer, 'capacityAI'], 'a stateful workload cannot have Capacity AI');
    }
  },
};

const replicaDirect: RuleOf<WorkloadView> = {
  id: 'W34',
  section: 'workload.load-balancer',
  title: 'One endpoint per replica (replicaDirect) is for stateful workloads.',
  severity: 'error',
  fix: 'Remove loadBalancer.replicaDirect, or use the type stateful.',
  record({ type, spec }, report) {
    if (type !== 'stateful' && isTrue(objectAt(spec, 'loadBalancer'), 'replicaDirect')) {
      report(
        ['spec', 'loadBalancer', 'replicaDirect'],
        `a workload of the type ${show(type)} cannot have replicaDirect`,
      );
    }
  },
};

const unavailableReplicas: RuleOf<WorkloadView> = {
  id: 'W39',
  section: 'workload.rollout',
  title: 'Stateful: no maxUnavailableReplicas.',
  severity: 'error',
  fix: 'Remove rolloutOptions.maxUnavailableReplicas.',
  record({ type, spec }, report) {
    if (type === 'stateful' && Object.hasOwn(objectAt(spec, 'rolloutOptions'), 'maxUnavailableReplicas')) {
      report(
        ['spec', 'rolloutOptions', 'maxUnavailableReplicas'],
        'a stateful workload cannot have maxUnavailableReplicas',
      );
    }
  },
};

const maxName = 49;

const name: RuleOf<WorkloadView> = {
  id: 'W40',
  section: 'concepts.names',
  title:
    `A workload name has 3 to ${maxName} lower-case letters, digits and hyphens, ` +
    'begins with a letter, and does not end with -headless.',
  severity: 'error',
  fix: `Use 3 to ${maxName} lower-case letters, digits and "-", a letter first, and not -headless at the end.`,
  record(workload, report) {
    const name = stringAt(workload.record, 'name') ?? '';
    checkName(workload, { of: 'a workload', whose: 'a workload name', most: maxName }, report);
    if (name.length <= maxName && namePattern.test(name) && name.endsWith('-headless')) {
      report(['name'], `${show(name)} must not end with -headless`);
    }
  },
};

const timeoutTag = 'scheme/timeoutSecondsOverride';

const timeout: RuleOf<WorkloadView> = {
  id: 'workload.timeout',
  section: 'workload.options',
  title: `Serverless: timeoutSeconds is at most 600 (3600 with the tag ${timeoutTag}).`,
  severity: 'error',
  fix: `Lower it to 600, or set the tag ${timeoutTag}.`,
  record({ type, record, options }, report) {
    if (type !== 'serverless' || Object.hasOwn(objectAt(record, 'tags'), timeoutTag)) return;
    for (const { value, pointer } of options) {
      const seconds = numberAt(value, 'timeoutSeconds');
      if (seconds !== undefined && seconds > 600) {
        report(
          [...pointer, 'timeoutSeconds'],
          `timeoutSeconds is ${seconds}, a serverless workload may have at most 600`,
        );
      }
    }
  },
};

const graceTag = 'scheme/relaxGracePeriodMax';

const gracePeriod: RuleOf<WorkloadView> = {
  id: 'workload.grace-period',
  section: 'workload.rollout',
  title: `terminationGracePeriodSeconds is at most 900 (3600 with the tag ${graceTag}).`,
  severity: 'error',
  fix: `Lower it to 900, or set the tag ${graceTag}: true.`,
  record({ record, spec }, report) {
    const seconds = numberAt(objectAt(spec, 'rolloutOptions'), 'terminationGracePeriodSeconds');
    if (seconds !== undefined && seconds > 900 && !tagIsTrue(record, graceTag)) {
      const pointer = ['spec', 'rolloutOptions', 'terminationGracePeriodSeconds'];
      report(pointer, `terminationGracePeriodSeconds is ${seconds}, at most 900 are allowed`);
    }
  },
};

export const typeRules = ruleGroup(['workload'], workloadView, [
  sameType,
  onePort,
  portVariable,
  cronServes,
  cronPorts,
  cronProbes,
  job,
  cronLocalOptions,
  cronMinimums,
  cronIgnores,
  statefulCapacityAi,
  replicaDirect,
  unavailableReplicas,
  name,
  timeout,
  gracePeriod,
]);

const image: RuleOf<WorkloadView> = {
  id: 'workload.image-needed',
  section: 'workload.types',
  title: 'Every container has an image, except in a vm.',
  severity: 'error',
  fix: 'Add the image, such as registry.example.com/web:1.',
  record({ type, containers }, report) {
    if (type === 'vm') return;
    for (const { value, pointer, label } of containers) {
      if (!Object.hasOwn(value, 'image')) report([...pointer, 'image'], `the container ${label} needs an image`);
    }
  },
};

const path: RuleOf<WorkloadView> = {
  id: 'workload.volume-path',
  section: 'workload.types',
  title: 'Every volume of a container has a path, except the disks of a vm.',
  severity: 'error',
  fix: 'Set the path at which it is mounted, such as path: /data.',
  record({ type, containers }, report) {
    if (type === 'vm') return;
    for (const { value, pointer, label } of containers) {
      for (const { index, value: volume } of itemsAt(value, 'volumes')) {
        if (Object.hasOwn(volume, 'path')) continue;
        report(
          [...pointer, 'volumes', index, 'path'],
          `the volume ${index + 1} of the container ${label} needs a path`,
        );
      }
    }
  },
};

const disk: RuleOf<WorkloadView> = {
  id: 'workload.disk',
  section: 'workload.types',
  title: 'Only the volumes of a vm have name, bus and bootOrder.',
  severity: 'error',
  fix: 'Remove the field.',
  record({ type, containers }, report) {
    if (type === 'vm') return;
    for (const { value, pointer } of containers) {
      for (const { index, value: volume } of itemsAt(value, 'volumes')) {
        for (const key of ['name', 'bus', 'bootOrder'] as const) {
          if (!Object.hasOwn(volume, key)) continue;
          report([...pointer, 'volumes', index, key], `a volume of a ${type} workload cannot have ${key}`);
        }
      }
    }
  },
};

/** Rules for the fields that only the disks of a vm may omit or set (platform/workload.types). */
export const vmRules = ruleGroup(['workload'], workloadView, [image, path, disk]);
