import type { Construct } from 'constructs';
import type { ContainerVolume } from '../../generated/interfaces/props.ts';
import { Domain } from '../kinds/domain.ts';
import type { BeingMade } from '../mistakes.ts';
import { checkNames, type PropNames } from './propNames.ts';
import { ServerlessService, type ServerlessServiceProps } from './serverlessService.ts';
import { type ServiceProps, serviceNames } from './serviceProps.ts';

/** The image that serves files from outside of it. */
const server = 'nginx:1.29';
const served = '/usr/share/nginx/html';

interface SiteProps extends Omit<ServiceProps, 'image'> {
  /** Host name of the site. Without one, it only has the address of its workload. */
  readonly host?: string | undefined;
  /** Port that the server listens on. @default 80 */
  readonly port?: number | undefined;
  /** Maximum number of replicas; it sleeps while there are no requests. @default 3 */
  readonly maxScale?: number | undefined;
}

/** A site whose files are in an image that serves them. */
export interface ImageSiteProps extends SiteProps {
  /** Image that serves the files of the site. */
  readonly image: string;
  readonly files?: undefined;
}

/** A site whose files are in an object store or on a shared volume set; nginx serves them. */
export interface FilesSiteProps extends SiteProps {
  /** `s3://BUCKET`, `gs://BUCKET`, or a volume set: `files: pages`. An object store needs an `identity` with access. */
  readonly files: ContainerVolume['uri'];
  readonly image?: undefined;
}

export type StaticSiteProps = ImageSiteProps | FilesSiteProps;

/**
 * A web site of files: a public serverless workload, which sleeps while there are no requests, and its domain.
 *
 * ```ts
 * new StaticSite(gvc, 'docs', { files: 's3://shop-docs', identity: reader, host: 'docs.example.com' });
 * ```
 *
 * ```yaml
 * kind: workload
 * name: docs
 * gvc: shop
 * spec:
 *   type: serverless
 *   identityLink: //gvc/shop/identity/reader
 *   containers:
 *     - name: main
 *       image: nginx:1.29
 *       volumes: [{ uri: 's3://shop-docs', path: /usr/share/nginx/html }]
 *       ports: [{ number: 80 }]
 *   defaultOptions: { autoscaling: { minScale: 0, maxScale: 3 } }
 *   firewallConfig: { external: { inboundAllowCIDR: [0.0.0.0/0] } }
 * ---
 * kind: domain
 * name: docs.example.com
 * spec: { ports: [{ number: 443, routes: [{ prefix: /, workloadLink: //gvc/shop/workload/docs, port: 80 }] }] }
 * ```
 */
export class StaticSite extends ServerlessService {
  /** Absent without a `host`. */
  readonly domain: Domain | undefined;

  constructor(scope: Construct, id: string, props: StaticSiteProps) {
    super(scope, id, serviceOf(props, { scope, id }));
    const { host, port = 80 } = props;
    if (host === undefined) return;
    const routes = [{ prefix: '/', workloadLink: this, port }];
    this.domain = new Domain(this, 'domain', { name: host, ports: [{ number: 443, routes }] });
  }
}

const names: PropNames<StaticSiteProps> = {
  ...serviceNames,
  image: true,
  files: true,
  host: true,
  maxScale: true,
  port: true,
};

function serviceOf(site: StaticSiteProps, made: BeingMade): ServerlessServiceProps {
  checkNames(made, { what: 'a StaticSite', props: site, names });
  const { files, host: _, image, maxScale = 3, port = 80, volumes, ...props } = site;
  return {
    ...props,
    image: image ?? server,
    volumes: files === undefined ? volumes : [{ uri: files, path: served }, ...(volumes ?? [])],
    port,
    public: true,
    scale: { min: 0, max: maxScale },
  };
}
