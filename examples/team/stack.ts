/** Three stacks of one app, in the environment that `--env` names: what differs is in `gantry.yaml`. */
import { App, Gvc, Identity, ServerlessService, Stack, VolumeSet } from 'gantry';

/** The values of each environment. */
interface Values {
  readonly version: string;
  readonly locations: readonly string[];
  /** The most replicas in each location. */
  readonly replicas: number;
}

const app = new App<Values>();
const { name, values } = app.environment;

const network = new Stack(app, `network-${name}`);
const gvc = new Gvc(network, `team-${name}`, { locations: values.locations, tags: { environment: name } });

const data = new Stack(app, `data-${name}`);
new VolumeSet(data, 'orders', { gvc, initialCapacity: 10, performanceClass: 'general-purpose-ssd' });

const shop = new Stack(app, `shop-${name}`);
const identity = new Identity(shop, 'web', { gvc });
new ServerlessService(shop, 'web-service', {
  name: 'web',
  gvc,
  identity,
  image: `registry.example.com/team/web:${values.version}`,
  port: 8080,
  public: true,
  health: '/ready',
  scale: { max: values.replicas },
});
