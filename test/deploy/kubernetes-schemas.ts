import { z } from 'zod';

/*
 * The part of Kubernetes' and KEDA's schemas that the manifests use. They are strict: the API server ignores a key that is
 * misspelled, or refuses it, depending on who sends it.
 */

const Labels = z.record(z.string().regex(/^([a-z0-9./-]+\/)?[a-z0-9-.]+$/), z.string().max(63));
const Name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const Metadata = z.strictObject({ name: Name, labels: Labels.optional() });
const Selector = z.strictObject({ matchLabels: Labels });
const Cpu = z.string().regex(/^\d+m?$/);
const Memory = z.string().regex(/^\d+(Mi|Gi)$/);

const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/healthz', '/readyz']), port: z.literal('http') }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
  failureThreshold: z.int().optional(),
});

const Seccomp = z.union([
  z.strictObject({ type: z.literal('RuntimeDefault') }),
  z.strictObject({ type: z.literal('Localhost'), localhostProfile: z.string().regex(/^[^/.][\w./-]*\.json$/) }),
]);

const Container = z.strictObject({
  name: Name,
  image: z.literal('pixelgate'),
  command: z.array(z.string()).optional(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  envFrom: z
    .array(
      z.union([
        z.strictObject({ configMapRef: z.strictObject({ name: Name }) }),
        z.strictObject({ secretRef: z.strictObject({ name: Name }) }),
      ]),
    )
    .optional(),
  ports: z.array(z.strictObject({ name: Name, containerPort: z.int() })).optional(),
  startupProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: Cpu, memory: Memory }),
    limits: z.strictObject({ memory: Memory }),
  }),
  securityContext: z.strictObject({
    runAsUser: z.int().optional(),
    runAsGroup: z.int().optional(),
    runAsNonRoot: z.boolean().optional(),
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.boolean().optional(),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z
    .array(z.strictObject({ name: Name, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }))
    .optional(),
});

const Volume = z.strictObject({
  name: Name,
  emptyDir: z.strictObject({ medium: z.literal('Memory').optional(), sizeLimit: Memory.optional() }).optional(),
  configMap: z.strictObject({ name: Name }).optional(),
  hostPath: z.strictObject({ path: z.string(), type: z.literal('DirectoryOrCreate') }).optional(),
});

const PodTemplate = z.strictObject({
  metadata: z.strictObject({ labels: Labels, annotations: z.record(z.string(), z.string()).optional() }),
  spec: z.strictObject({
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.int().optional(),
    nodeSelector: Labels.optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true).optional(),
      runAsUser: z.int().optional(),
      runAsGroup: z.int().optional(),
      fsGroup: z.int().optional(),
      seccompProfile: Seccomp,
    }),
    initContainers: z.array(Container).optional(),
    containers: z.array(Container).length(1),
    volumes: z.array(Volume),
  }),
});

const of = <K extends string, V extends string>(apiVersion: V, kind: K) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
  metadata: Metadata,
});

const Deployment = z.strictObject({
  ...of('apps/v1', 'Deployment'),
  spec: z.strictObject({
    replicas: z.int(),
    selector: Selector,
    strategy: z.strictObject({ type: z.enum(['Recreate', 'RollingUpdate']) }),
    template: PodTemplate,
  }),
});

const DaemonSet = z.strictObject({
  ...of('apps/v1', 'DaemonSet'),
  spec: z.strictObject({ selector: Selector, template: PodTemplate }),
});

const Service = z.strictObject({
  ...of('v1', 'Service'),
  spec: z.strictObject({
    selector: Labels,
    ports: z.array(z.strictObject({ name: Name, port: z.int(), targetPort: z.string() })),
  }),
});

const Peer = z.union([
  z.strictObject({ namespaceSelector: Selector.optional(), podSelector: Selector.optional() }),
  z.strictObject({
    ipBlock: z.strictObject({
      cidr: z.union([z.cidrv4(), z.cidrv6()]),
      except: z.array(z.union([z.cidrv4(), z.cidrv6()])),
    }),
  }),
]);
const Ports = z.array(z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.int() })).min(1);

const NetworkPolicy = z.strictObject({
  ...of('networking.k8s.io/v1', 'NetworkPolicy'),
  spec: z.strictObject({
    podSelector: Selector,
    policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
    ingress: z.array(z.strictObject({ from: z.array(Peer).min(1), ports: Ports })).optional(),
    egress: z.array(z.strictObject({ to: z.array(Peer).min(1), ports: Ports })).optional(),
  }),
});

const ScaledObject = z.strictObject({
  ...of('keda.sh/v1alpha1', 'ScaledObject'),
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ name: Name }),
    minReplicaCount: z.int(),
    maxReplicaCount: z.int(),
    cooldownPeriod: z.int(),
    triggers: z.array(
      z.strictObject({
        type: z.literal('prometheus'),
        metadata: z.strictObject({
          serverAddress: z.httpUrl(),
          query: z.string(),
          threshold: z.string().regex(/^\d+$/),
        }),
      }),
    ),
  }),
});

const Namespace = z.strictObject(of('v1', 'Namespace'));

export const Manifest = z.discriminatedUnion('kind', [
  Deployment,
  DaemonSet,
  Service,
  NetworkPolicy,
  ScaledObject,
  Namespace,
]);
export type Manifest = z.infer<typeof Manifest>;

export const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: Name,
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })),
  configMapGenerator: z.array(
    z.strictObject({
      name: Name,
      literals: z.array(z.string().regex(/^[A-Z0-9_]+=/)).optional(),
      files: z.array(z.string()).optional(),
    }),
  ),
});
