/**
 * The statements of the platform's specification as ids of rows, by section of docs/platform: every table row, bullet
 * and rule, and the statements of its prose. It was written from the document and not from the rows, so that a missing
 * row is found.
 */
const sections: Readonly<Record<string, string>> = {
  'concepts.record': `id; name; kind; version; description; tags; created; lastModified; links; spec; status; alias; create forms;
    PATCH forms; PATCH name; identity; ipset; group; serviceaccount; auditctx; task; location`,
  gvc: `staticPlacement; pullSecretLinks; domain; endpointNamingFormat; tracing; sidecar; env; loadBalancer; keda;
    staticPlacement.locationLinks; staticPlacement.locationQuery; staticPlacement.locationQuery.kind;
    staticPlacement.locationQuery.context; staticPlacement.locationQuery.spec.match;
    staticPlacement.locationQuery.spec.terms.op; staticPlacement.locationQuery.spec.terms.property;
    staticPlacement.locationQuery.spec.terms.rel; staticPlacement.locationQuery.spec.terms.tag;
    staticPlacement.locationQuery.spec.terms.value; staticPlacement.locationQuery.spec.sort;
    staticPlacement.locationOptions.locationLink; staticPlacement.locationOptions.routingTier;
    staticPlacement.locationOptions.latencyOffsetMs; staticPlacement.locationOptions.latencyToleranceMs;
    tracing.sampling; tracing.customTags; tracing.provider; tracing deprecated member; loadBalancer.dedicated;
    loadBalancer.multiZone; loadBalancer.trustedProxies; loadBalancer.redirect; loadBalancer.ipSet; status`,
  proxy: 'accessLog; clusters; excludedExternalAuth; excludedRateLimit; http; network; volumes; match object',
  workload: `name; description; tags; health; spec; spec.type; spec.identityLink; spec.containers; spec.firewallConfig;
    spec.defaultOptions; spec.localOptions; spec.job; spec.sidecar; spec.loadBalancer; response record`,
  'workload.containers': `name; image; workingDir; metrics; port; ports; memory; cpu; minCpu; minMemory; readinessProbe;
    livenessProbe; probe defaults; env; inheritEnv; command; args; gpu; lifecycle; volumes; probe exec; probe grpc;
    probe tcpSocket; probe httpGet; probe initialDelaySeconds; probe periodSeconds; probe timeoutSeconds;
    probe successThreshold; probe failureThreshold`,
  'workload.firewall': `external.inboundAllowCIDR; external.inboundBlockedCIDR; external.outboundAllowHostname;
    external.outboundAllowCIDR; external.outboundBlockedCIDR; external.outboundAllowPort; external.http;
    internal.inboundAllowType; internal.inboundAllowWorkload`,
  'workload.options': `autoscaling; timeoutSeconds; capacityAI; capacityAIUpdateMinutes; spot; debug; suspend; multiZone;
    autoscaling.metric; autoscaling.multi; autoscaling.metricPercentile; autoscaling.target; autoscaling.maxScale;
    autoscaling.minScale; autoscaling.scaleToZeroDelay; autoscaling.maxConcurrency; autoscaling.keda.triggers;
    autoscaling.keda.advanced; autoscaling.keda.fallback; autoscaling.keda.pollingInterval;
    autoscaling.keda.cooldownPeriod; autoscaling.keda.initialCooldownPeriod`,
  'workload.job': 'schedule; concurrencyPolicy; historyLimit; restartPolicy; activeDeadlineSeconds',
  domain: `dnsMode; gvcLink; workloadLink; certChallengeType; acceptAllHosts; acceptAllSubdomains; ports; port.number;
    port.protocol; port.routes; port.cors; port.tls; route.replacePrefix; route.regex; route.prefix;
    route.workloadLink; route.port; route.hostPrefix; route.hostRegex; route.headers; route.replica; route.mirror;
    cors.allowOrigins; cors.allowMethods; cors.allowHeaders; cors.exposeHeaders; cors.maxAge; cors.allowCredentials;
    tls.minProtocolVersion; tls.cipherSuites; tls.clientCertificate; tls.serverCertificate; status.endpoints;
    status.status; status.warning; status.locations; status.fingerprint; status.dnsConfig`,
  volumeset: `fileSystemType; initialCapacity; performanceClass; autoscaling; snapshots; mountOptions; customEncryption;
    autoscaling.maxCapacity; autoscaling.minFreePercentage; autoscaling.scalingFactor; autoscaling.predictive;
    predictive.enabled; predictive.lookbackHours; predictive.projectionHours; predictive.minDataPoints;
    predictive.minGrowthRateGBPerHour; predictive.scalingFactor; 
    one volume for each replica; shared volumes; what shared volumes do not support; mounting;
    reactive growth; predictive growth; what predictive growth requires; expanding and shrinking; encryption by a key of your own; resources of mounts; status`,
  'workload.types': `serverless may scale to zero; serverless one port; serverless must expose; standard may; standard may not;
    stateful may; stateful may not; cron may; cron may not; cron must; capabilities; stateful names; status Invalid;
    status Active; status Success; status Failure; status Removed; transition Replace; transition deadline;
    policy Forbid; policy Replace; policy Allow; policy run-now; domain status; readiness`,
  wire: 'path parameters; Authorization; JSON; list query parameters',
  'wire.operations': `POST gvc; PATCH gvc; POST workload; PATCH workload; POST domain; PATCH domain; GET domain;
    POST workload command; POST volumeset command; status codes; payload expandVolume; payload shrinkVolume;
    payload createVolumeSnapshot; payload deleteVolumeSnapshot; payload restoreVolume; payload deleteVolume;
    endpoints volumeset; endpoints identity; endpoints ipset; endpoints group; endpoints serviceaccount;
    endpoints auditctx; endpoints task; endpoints location; endpoints gvc; endpoints workload; endpoints domain`,
  patch: '$drop; $replace; $drop list; $append; $patch; $retain; merge; list identity',
  'commands.run-now': 'type and spec; containerOverrides; suspended; policy',
  'wire.paths': 'generic path; create',
  deletion: 'GVC; workloads; service account; key value',
  clients: `access-report; audit; clone; create; delete; edit; eventlog; get; patch; permissions; query; tag; update;
    gvc add-location; gvc delete-all-workloads; gvc create; gvc delete --force; ipset locations; ipset create;
    group add-member; group create; serviceaccount keys; identity; task; auditctx audit; query --match;
    query --property; query --tag; query --rel; audit --subject; audit --context; audit --since; audit --from;
    audit --to; --org and --gvc; --output; --ts; --max; --token; --endpoint; other options`,
  access: 'header; key of a service account; key is shown once; token of one call; reads need authorisation',
  audit: 'audit trail; event log; record shapes; push',
  errors: 'status; message; code; details; id; status codes; conflicts',
  'concepts.limits': `GVC name; domain description; historyLimit; activeDeadlineSeconds; stateful CPU; stateful memory;
    volume set capacity; volume snapshots; predictive windows; client list size; rate limits; quotas`,
  'concepts.version': 'version; API version; deprecation',
  // Values that the real service accepts beyond its documents.
  'concepts.real-service': `V5 and V6; W19; W36; W37; G5; D8; D19; lenient; missing targets; header filter; hooks; vm; byok; agent;
    userpass; org; locations; trailing slash; org references`,
};

/** The ids that the table must hold. */
export const outline: readonly string[] = Object.entries(sections).flatMap(([section, statements]) =>
  statements.split(';').map((statement) => `${section}/${statement.trim().replace(/\s+/g, ' ')}`),
);
