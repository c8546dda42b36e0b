import type { Construct } from 'constructs';
import type { Port, StatefulWorkloadProps } from '../../generated/interfaces/props.ts';
import { VolumeSet } from '../kinds/volumeSet.ts';
import { Workload } from '../kinds/workload.ts';
import type { BeingMade } from '../mistakes.ts';
import { checkNames, type PropNames } from './propNames.ts';
import { containerFields, firewallOf, probes, resourceFields, type ServerProps, serverNames } from './serviceProps.ts';
import { type Storage, someStorage, storageNames, volumeSetName, volumeSetProps } from './storage.ts';

export interface StatefulServiceProps extends ServerProps {
  /** The volume of each replica. */
  readonly storage: Storage;
  /** Number of replicas. Each has its own volume; they are not copies of each other. @default 1 */
  readonly replicas?: number | undefined;
  /** Port that the program listens on. */
  readonly port?: number | undefined;
  /** Protocol spoken on the port. @default http */
  readonly protocol?: Port['protocol'];
}

/**
 * A program that stores data on its own volume: a workload of the type `stateful`, and the volume set that it mounts,
 * `NAME-data`.
 *
 * ```ts
 * new StatefulService(gvc, 'queue', {
 *   image: 'nats:2',
 *   port: 4222,
 *   protocol: 'tcp',
 *   storage: { path: '/data', capacity: Size.gigabytes(20) },
 * });
 * ```
 *
 * ```yaml
 * kind: workload
 * name: queue
 * gvc: shop
 * spec:
 *   type: stateful
 *   containers:
 *     - name: main
 *       image: nats:2
 *       ports: [{ number: 4222, protocol: tcp }]
 *       volumes: [{ uri: 'scheme://volumeset/queue-data', path: /data }]
 *   defaultOptions: { autoscaling: { minScale: 1, maxScale: 1 } }
 * ---
 * kind: volumeset
 * name: queue-data
 * gvc: shop
 * spec: { performanceClass: general-purpose-ssd, initialCapacity: 20 }
 * ```
 */
export class StatefulService extends Workload<'stateful'> {
  /** The volume set that its replicas write to. */
  readonly volumeSet: VolumeSet;

  constructor(scope: Construct, id: string, props: StatefulServiceProps) {
    super(scope, id, propsOf(props, { scope, id }));
    const named = { name: volumeSetName(this.name), gvc: props.gvc };
    this.volumeSet = new VolumeSet(this, 'data', { ...named, ...volumeSetProps(props.storage ?? someStorage) });
  }
}

const names: PropNames<StatefulServiceProps> = {
  ...serverNames,
  port: true,
  protocol: true,
  replicas: true,
  storage: 'required',
};

function propsOf(props: StatefulServiceProps, made: BeingMade): StatefulWorkloadProps {
  checkNames(made, { what: 'a StatefulService', props, names });
  const { health, name = made.id, port, protocol, replicas = 1, storage = someStorage, volumes = [] } = props;
  checkNames(made, { what: 'storage', props: storage, names: storageNames });
  const volume = { uri: `scheme://volumeset/${volumeSetName(name)}`, path: storage.path } as const;
  return {
    ...resourceFields(props),
    type: 'stateful',
    identity: props.identity,
    containers: [
      {
        ...containerFields(props),
        ports: port === undefined ? undefined : [{ number: port, protocol }],
        ...probes(health, port),
        volumes: [volume, ...volumes],
      },
    ],
    defaultOptions: { autoscaling: { minScale: replicas, maxScale: replicas } },
    firewallConfig: firewallOf(props),
  };
}
