/**
 * What the specification says, section by section: every table row, bullet and numbered rule of sections 2 to 9, and
 * the statements of its prose, as the ids of rows. It was taken from the document by reading, apart from the rows
 * themselves, so that a row that is forgotten is found.
 */
const sections: Readonly<Record<string, string>> = {
  '2.1': `id; name; kind; version; description; tags; created; lastModified; links; spec; status; alias; create forms;
    PATCH forms; PATCH name; identity; ipset; group; serviceaccount; auditctx; task; location`,
  '2.2': `staticPlacement; pullSecretLinks; domain; endpointNamingFormat; tracing; sidecar; env; loadBalancer; keda;
    staticPlacement.locationLinks; staticPlacement.locationQuery; staticPlacement.locationQuery.kind;
    staticPlacement.locationQuery.context; staticPlacement.locationQuery.spec.match;
    staticPlacement.locationQuery.spec.terms.op; staticPlacement.locationQuery.spec.terms.property;
    staticPlacement.locationQuery.spec.terms.rel; staticPlacement.locationQuery.spec.terms.tag;
    staticPlacement.locationQuery.spec.terms.value; staticPlacement.locationQuery.spec.sort;
    staticPlacement.locationOptions.locationLink; staticPlacement.locationOptions.routingTier;
    staticPlacement.locationOptions.latencyOffsetMs; staticPlacement.locationOptions.latencyToleranceMs;
    tracing.sampling; tracing.customTags; tracing.provider; tracing deprecated member; loadBalancer.dedicated;
    loadBalancer.multiZone; loadBalancer.trustedProxies; loadBalancer.redirect; loadBalancer.ipSet; status`,
  '2.3': 'accessLog; clusters; excludedExternalAuth; excludedRateLimit; http; network; volumes; match object',
  '2.4': `name; description; tags; health; spec; spec.type; spec.identityLink; spec.containers; spec.firewallConfig;
    spec.defaultOptions; spec.localOptions; spec.job; spec.sidecar; spec.loadBalancer; response record`,
  '2.4.1': `name; image; workingDir; metrics; port; ports; memory; cpu; minCpu; minMemory; readinessProbe;
    livenessProbe; probe defaults; env; inheritEnv; command; args; gpu; lifecycle; volumes; probe exec; probe grpc;
    probe tcpSocket; probe httpGet; probe initialDelaySeconds; probe periodSeconds; probe timeoutSeconds;
    probe successThreshold; probe failureThreshold`,
  '2.4.2': `external.inboundAllowCIDR; external.inboundBlockedCIDR; external.outboundAllowHostname;
    external.outboundAllowCIDR; external.outboundBlockedCIDR; external.outboundAllowPort; external.http;
    internal.inboundAllowType; internal.inboundAllowWorkload`,
  '2.4.3': `autoscaling; timeoutSeconds; capacityAI; capacityAIUpdateMinutes; spot; debug; suspend; multiZone;
    autoscaling.metric; autoscaling.multi; autoscaling.metricPercentile; autoscaling.target; autoscaling.maxScale;
    autoscaling.minScale; autoscaling.scaleToZeroDelay; autoscaling.maxConcurrency; autoscaling.keda.triggers;
    autoscaling.keda.advanced; autoscaling.keda.fallback; autoscaling.keda.pollingInterval;
    autoscaling.keda.cooldownPeriod; autoscaling.keda.initialCooldownPeriod`,
  '2.4.4': 'schedule; concurrencyPolicy; historyLimit; restartPolicy; activeDeadlineSeconds',
  '2.5': `dnsMode; gvcLink; workloadLink; certChallengeType; acceptAllHosts; acceptAllSubdomains; ports; port.number;
    port.protocol; port.routes; port.cors; port.tls; route.replacePrefix; route.regex; route.prefix;
    route.workloadLink; route.port; route.hostPrefix; route.hostRegex; route.headers; route.replica; route.mirror;
    cors.allowOrigins; cors.allowMethods; cors.allowHeaders; cors.exposeHeaders; cors.maxAge; cors.allowCredentials;
    tls.minProtocolVersion; tls.cipherSuites; tls.clientCertificate; tls.serverCertificate; status.endpoints;
    status.status; status.warning; status.locations; status.fingerprint; status.dnsConfig`,
  '2.6': `fileSystemType; initialCapacity; performanceClass; autoscaling; snapshots; mountOptions; customEncryption;
    autoscaling.maxCapacity; autoscaling.minFreePercentage; autoscaling.scalingFactor; autoscaling.predictive;
    predictive.enabled; predictive.lookbackHours; predictive.projectionHours; predictive.minDataPoints;
    predictive.minGrowthRateGBPerHour; predictive.scalingFactor; rule 1; rule 2; rule 3; rule 4; rule 5; rule 6;
    rule 7; rule 8; rule 9; rule 10; status`,
  '3': `serverless may scale to zero; serverless one port; serverless must expose; standard may; standard may not;
    stateful may; stateful may not; cron may; cron may not; cron must; capabilities; stateful names; status Invalid;
    status Active; status Success; status Failure; status Removed; transition Replace; transition deadline;
    policy Forbid; policy Replace; policy Allow; policy run-now; domain status; readiness`,
  '4': 'path parameters; Authorization; JSON; list query parameters',
  '4.1': `POST gvc; PATCH gvc; POST workload; PATCH workload; POST domain; PATCH domain; GET domain;
    POST workload command; POST volumeset command; status codes; payload expandVolume; payload shrinkVolume;
    payload createVolumeSnapshot; payload deleteVolumeSnapshot; payload restoreVolume; payload deleteVolume;
    endpoints volumeset; endpoints identity; endpoints ipset; endpoints group; endpoints serviceaccount;
    endpoints auditctx; endpoints task; endpoints location; endpoints gvc; endpoints workload; endpoints domain`,
  '4.2': '$drop; $replace; $drop list; $append; $patch; $retain; merge; list identity',
  '4.3': 'type and spec; containerOverrides; suspended; policy',
  '4.4': 'generic path; create',
  '4.5': 'GVC; workloads; service account; key value',
  '4.6': `access-report; audit; clone; create; delete; edit; eventlog; get; patch; permissions; query; tag; update;
    gvc add-location; gvc delete-all-workloads; gvc create; gvc delete --force; ipset locations; ipset create;
    group add-member; group create; serviceaccount keys; identity; task; auditctx audit; query --match;
    query --property; query --tag; query --rel; audit --subject; audit --context; audit --since; audit --from;
    audit --to; --org and --gvc; --output; --ts; --max; --token; --endpoint; other options`,
  '5': 'rule 1; rule 2; rule 3; rule 4; rule 5',
  '6': 'audit trail; event log; record shapes; push',
  '7': 'status; message; code; details; id; status codes; conflicts',
  '8': `GVC name; domain description; historyLimit; activeDeadlineSeconds; stateful CPU; stateful memory;
    volume set capacity; volume snapshots; predictive windows; client list size; rate limits; quotas`,
  '9': 'version; API version; deprecation',
  // What the real service accepts, by rulings of the design.
  'design 7': `V5 and V6; W19; W36; W37; G5; D8; D19; lenient; missing targets; header filter; hooks; vm; byok; agent;
    userpass; org; locations; trailing slash; org references`,
};

/** The ids that the table must hold. */
export const outline: readonly string[] = Object.entries(sections).flatMap(([section, statements]) =>
  statements.split(';').map((statement) => `${section}/${statement.trim().replace(/\s+/g, ' ')}`),
);
