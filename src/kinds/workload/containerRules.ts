import { type JsonObject, numberAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { eachRepeated, itemsAt, show } from '../../schema/rules/reading.ts';
import { type RuleOf, ruleGroup, type Subject } from '../../schema/rules/rule.ts';
import { namePattern } from '../common/envelope.ts';
import { checkEnvironment, environmentFix } from '../common/environment.ts';
import {
  otherPorts,
  portProblem,
  probePorts,
  probes,
  reservedPorts,
  type WorkloadView,
  workloadView,
} from './workloadView.ts';

/** Reserved names: prefixes of the platform's own containers, and one whole name (platform/concepts.names). */
const reservedPrefixes = ['scheme-', 'debugger-'] as const;
const reservedNames: ReadonlySet<string> = new Set(['queue-proxy']);

const containers: RuleOf<WorkloadView> = {
  id: 'W2',
  section: 'workload.containers',
  title: 'A workload has 1 to 8 containers with unique names of 2 to 64 characters that are not reserved.',
  severity: 'error',
  fix:
    'Use 1 to 8 containers; a name has 2 to 64 lower-case letters, digits and "-", begins with a letter, and ' +
    "is not the platform's own (scheme-*, debugger-*).",
  record({ spec, containers, type }, report) {
    const list = own(spec, 'containers');
    const count = Array.isArray(list) ? list.length : 0;
    if ((count < 1 && type !== 'vm') || count > 8) {
      report(['spec', 'containers'], `the workload has ${count} containers, 1 to 8 are allowed`);
    }
    for (const { value, pointer } of containers) {
      const name = stringAt(value, 'name');
      if (name === undefined) continue;
      const reserved = reservedNames.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix));
      if (!namePattern.test(name) || name.length > 64) {
        report([...pointer, 'name'], `${show(name)} is not a valid name for a container`);
      } else if (reserved) report([...pointer, 'name'], `the container name ${show(name)} is reserved by the platform`);
    }
    eachRepeated(
      containers,
      ({ value }) => stringAt(value, 'name'),
      ({ pointer }, name) => report([...pointer, 'name'], `two containers must not have the same name (${show(name)})`),
    );
  },
};

const portOrPorts: RuleOf<WorkloadView> = {
  id: 'W3',
  section: 'workload.containers',
  title: 'A container has port or ports, not both.',
  severity: 'error',
  fix: 'Use ports alone.',
  record({ containers }, report) {
    for (const { value, pointer, label } of containers) {
      if (Object.hasOwn(value, 'port') && itemsAt(value, 'ports').length > 0) {
        report([...pointer, 'port'], `the container ${label} cannot have both port and ports`);
      }
    }
  },
};

const uniquePorts: RuleOf<WorkloadView> = {
  id: 'W4',
  section: 'workload.ports',
  title: 'No two containers or ports of a workload have the same port number.',
  severity: 'error',
  fix: 'Use a different number for each port.',
  record({ containers }, report) {
    const seen = new Map<number, string>();
    for (const { served, label } of containers) {
      for (const port of served) {
        const other = seen.get(port.number);
        if (other === undefined) seen.set(port.number, label);
        else report(port.pointer, `the port ${port.number} of the container ${label} must not be one of ${other} too`);
      }
    }
  },
};

const usablePorts: RuleOf<WorkloadView> = {
  id: 'W5',
  section: 'workload.ports',
  title: 'Ports are 80 to 65535 (outbound firewall: to 65000) and not reserved by the platform.',
  severity: 'error',
  fix: `Choose another port; reserved are ${[...reservedPorts].join(', ')}.`,
  record({ spec, containers }, report) {
    for (const { value, pointer, label, served } of containers) {
      for (const port of [...served, ...otherPorts(value, pointer)]) {
        const problem = portProblem(port.number);
        if (problem !== undefined) report(port.pointer, `${problem} (container ${label})`);
      }
    }
    const external = objectAt(objectAt(spec, 'firewallConfig'), 'external');
    for (const { index, value } of itemsAt(external, 'outboundAllowPort')) {
      const problem = portProblem(numberAt(value, 'number') ?? 80, 65_000);
      const pointer = ['spec', 'firewallConfig', 'external', 'outboundAllowPort', index, 'number'];
      if (problem !== undefined) report(pointer, problem);
    }
    for (const { index, value } of itemsAt(objectAt(objectAt(spec, 'loadBalancer'), 'direct'), 'ports')) {
      const problem = portProblem(numberAt(value, 'containerPort') ?? 80);
      if (problem !== undefined) report(['spec', 'loadBalancer', 'direct', 'ports', index, 'containerPort'], problem);
    }
  },
};

const handlers = ['exec', 'grpc', 'tcpSocket', 'httpGet'] as const;

const oneHandler: RuleOf<WorkloadView> = {
  id: 'W27',
  section: 'workload.probes',
  title: 'A probe has exactly one of exec, grpc, tcpSocket and httpGet.',
  severity: 'error',
  fix: 'Remove all handlers but one.',
  record({ containers }, report) {
    for (const { value, pointer, label } of containers) {
      for (const probe of probes) {
        if (!Object.hasOwn(value, probe)) continue;
        const present = handlers.filter((handler) => Object.hasOwn(objectAt(value, probe), handler));
        if (present.length === 1) continue;
        const found = present.length === 0 ? 'none' : present.join(' and ');
        report(
          [...pointer, probe],
          `the ${probe} of the container ${label} must have exactly one handler, and has ${found}`,
        );
      }
    }
  },
};

const probePath: RuleOf<WorkloadView> = {
  id: 'workload.probe-path',
  section: 'workload.probes',
  title: 'The path of a probe begins with a slash.',
  severity: 'warning',
  where: 'offline',
  fix: 'Begin it with /.',
  record({ containers }, report) {
    for (const { value, pointer, label } of containers) {
      for (const probe of probes) {
        const path = stringAt(objectAt(objectAt(value, probe), 'httpGet'), 'path');
        if (path === undefined || path.startsWith('/')) continue;
        const at = [...pointer, probe, 'httpGet', 'path'];
        report(at, `the path of the ${probe} of the container ${label} must begin with a slash, and is ${show(path)}`);
      }
    }
  },
};

const probePort: RuleOf<WorkloadView> = {
  id: 'workload.probe-port',
  section: 'workload.probes',
  title: 'A probe asks on a port that a container of the workload listens on.',
  severity: 'warning',
  where: 'offline',
  fix: 'Correct the port, or add it to the ports of the container.',
  record({ containers }, report) {
    const served = new Set(containers.flatMap((container) => container.served.map(({ number }) => number)));
    for (const { value, pointer, label } of containers) {
      for (const { number, probe, pointer: at } of probePorts(value, pointer)) {
        if (served.has(number)) continue;
        report(at, `the ${probe} of the container ${label} must use a port that a container has, and uses ${number}`);
      }
    }
  },
};

const environment: RuleOf<WorkloadView> = {
  id: 'W32',
  section: 'workload.env',
  title:
    'Environment variables have unique names that the platform does not ' +
    'reserve, and values of at most 4096 characters.',
  severity: 'error',
  fix: environmentFix,
  record({ containers }, report) {
    for (const { value, pointer } of containers) checkEnvironment(value, pointer, report);
  },
};

const resourcesField: RuleOf<WorkloadView> = {
  id: 'W41',
  section: 'workload.containers',
  title: 'A container has the fields cpu and memory, not a block "resources".',
  severity: 'error',
  fix: 'Write cpu, memory, minCpu and minMemory directly into the container.',
  record({ containers }, report) {
    for (const { value, pointer, label } of containers) {
      if (Object.hasOwn(value, 'resources')) {
        report([...pointer, 'resources'], `"resources" is not allowed in the container ${label}`);
      }
    }
  },
};

const legacyPort: RuleOf<WorkloadView> = {
  id: 'deprecated.container-port',
  section: 'workload.containers',
  title: 'The port of a container is deprecated: use ports.',
  severity: 'warning',
  where: 'offline',
  fix: 'Write ports: [{number: N}] in place of port: N.',
  record({ containers }, report) {
    for (const { value, pointer, label } of containers) {
      if (Object.hasOwn(value, 'port'))
        report([...pointer, 'port'], `the port of the container ${label} is deprecated`);
    }
  },
};

export const containerRules = ruleGroup(['workload'], workloadView, [
  containers,
  portOrPorts,
  uniquePorts,
  usablePorts,
  oneHandler,
  probePath,
  probePort,
  environment,
  resourcesField,
  legacyPort,
]);

const maxPart = 128;
const ownRegistry = /^\/(?:org\/([^/]+))?\/image\/(.*)$/;

const image: RuleOf<WorkloadView> = {
  id: 'workload.image',
  section: 'workload.images',
  title: 'An image is NAME:TAG, HOST/PATH:TAG, NAME@DIGEST, or a link to an image of the same org.',
  severity: 'error',
  fix: 'Write an image such as registry.example.com/web:1, or //image/NAME:TAG for one of the own registry.',
  record({ containers, context }, report) {
    for (const { value, pointer, label } of containers) {
      const text = stringAt(value, 'image');
      const problem = text === undefined ? undefined : imageProblem(text, context.org);
      if (problem !== undefined)
        report([...pointer, 'image'], `the image ${show(text)} of the container ${label} ${problem}`);
    }
  },
};

function imageProblem(text: string, org: string): string | undefined {
  if (text === '' || /\s/.test(text)) return 'must not be empty or contain white space';
  if (text.split(':').length > 3) return 'must not contain more than two colons';
  if (!text.startsWith('/')) return undefined;

  const link = ownRegistry.exec(text);
  if (link === null) return 'is not a link to an image';
  if (link[1] !== undefined && link[1] !== org) return `must not be one of the org ${show(link[1])}`;
  const [name = '', tag = 'latest'] = (link[2] ?? '').split(':');
  if (name === '' || tag === '') return 'must not have an empty name or tag';
  return name.length > maxPart || tag.length > maxPart
    ? `must not have a name or tag of more than ${maxPart} characters`
    : undefined;
}

export const imageRules = ruleGroup(['workload'], workloadView, [image]);

/** The mounts of a container, or of its proxy. */
type MountList = readonly Mount[];

interface Mount {
  readonly pointer: Pointer;
  readonly uri: string | undefined;
  readonly path: string | undefined;
}

function mountList(owner: JsonObject, at: Pointer): MountList {
  return itemsAt(owner, 'volumes').map(({ index, value }) => ({
    pointer: [...at, 'volumes', index],
    uri: stringAt(value, 'uri'),
    path: stringAt(value, 'path'),
  }));
}

function mountLists(subject: Subject): readonly MountList[] {
  const proxy = objectAt(objectAt(objectAt(subject.record, 'spec'), 'sidecar'), 'proxy');
  const lists = [mountList(proxy, ['spec', 'sidecar', 'proxy'])];
  if (subject.kind === 'workload') {
    for (const { value, pointer } of workloadView(subject).containers) lists.push(mountList(value, pointer));
  }
  return lists;
}

function withoutSlash(path: string): string {
  return path === '/' ? path : path.replace(/\/+$/, '');
}

const reservedPaths: ReadonlySet<string> = new Set(['/dev', '/dev/log', '/tmp', '/var', '/var/log']);

const paths: RuleOf<readonly MountList[]> = {
  id: 'W28',
  section: 'workload.volumes',
  title: 'A volume is mounted at an absolute path, not at /dev, /dev/log, /tmp, /var or /var/log.',
  severity: 'error',
  fix: 'Mount it at a path of its own, such as /data.',
  record(lists, report) {
    for (const { path, pointer } of lists.flat()) {
      if (path === undefined) continue;
      if (!path.startsWith('/')) report([...pointer, 'path'], `the path ${show(path)} must be absolute`);
      else if (reservedPaths.has(withoutSlash(path))) {
        report([...pointer, 'path'], `the path ${show(path)} is reserved by the platform`);
      }
    }
  },
};

const nesting: RuleOf<readonly MountList[]> = {
  id: 'W29',
  section: 'workload.volumes',
  title: 'The volumes of a container have different paths, none inside another.',
  severity: 'error',
  fix: 'Mount each volume at a path outside the others.',
  record(lists, report) {
    for (const mounts of lists) {
      for (const [index, mount] of mounts.entries()) {
        const path = mount.path === undefined ? undefined : withoutSlash(mount.path);
        if (path === undefined) continue;
        for (const [otherIndex, other] of mounts.entries()) {
          if (other.path === undefined || otherIndex === index) continue;
          const outer = withoutSlash(other.path);
          const pointer = [...mount.pointer, 'path'];
          if (outer === path && otherIndex < index) report(pointer, `two volumes cannot be mounted at ${show(path)}`);
          else if (path.startsWith(outer === '/' ? '/' : `${outer}/`) && path !== outer) {
            report(
              pointer,
              `the path ${show(path)} must not be inside ${show(outer)}, where another volume is mounted`,
            );
          }
        }
      }
    }
  },
};

const foreignSchemes: ReadonlySet<string> = new Set(['s3', 'gs', 'azureblob', 'azurefs', 'scratch', 'k8s']);
const ownUri = /^scheme:\/\/(?:volumeset\/[^/]+|secret\/[^/]+)$/;

const uris: RuleOf<readonly MountList[]> = {
  id: 'W30',
  section: 'workload.volumes',
  title:
    'The uri of a volume is s3, gs, azureblob, azurefs, scratch, k8s, ' +
    'scheme://volumeset/NAME or scheme://secret/NAME[.KEY].',
  severity: 'error',
  fix: 'Write for example scheme://volumeset/data, scheme://secret/tls.key or s3://bucket.',
  record(lists, report) {
    for (const { uri, pointer } of lists.flat()) {
      if (uri === undefined || ownUri.test(uri)) continue;
      const scheme = uri.split('://')[0] ?? '';
      if (!uri.includes('://') || !foreignSchemes.has(scheme)) {
        report([...pointer, 'uri'], `${show(uri)} is not a volume URI`);
      }
    }
  },
};

export const mountRules = ruleGroup(['workload', 'gvc'], mountLists, [paths, nesting, uris]);
