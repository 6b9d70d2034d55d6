{{- define "docloom.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "docloom.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "docloom.labels" -}}
{{ include "docloom.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "docloom.account" -}}
{{ .Values.serviceAccount.name | default (include "docloom.name" .) }}
{{- end }}

{{- /* The host of an address, with the star of a wildcard. */ -}}
{{- define "docloom.host" -}}
{{ (regexReplaceAll "^https?://([^/:]+).*$" . "${1}") | quote }}
{{- end }}

{{- /* One pod of a role: root (all values), name, args, own (the values of the role), drain (seconds). */ -}}
{{- define "docloom.deployment" -}}
{{- $values := .root.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels:
    {{- include "docloom.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .scaled }}
  replicas: {{ .own.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "docloom.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  strategy:
    # One release runs beside the next; the first new process updates the tables.
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "docloom.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        # Other settings are other pods.
        docloom/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
        {{- with .own.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "docloom.account" .root }}
      # The pods ask nothing of Kubernetes.
      automountServiceAccountToken: false
      {{- with $values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # More than it takes to drain, to end requests, and to hand jobs back.
      terminationGracePeriodSeconds: {{ add .drain 45 }}
      securityContext:
        runAsNonRoot: true
        runAsUser: {{ $values.user }}
        runAsGroup: {{ $values.user }}
        fsGroup: {{ $values.user }}
        seccompProfile: { type: RuntimeDefault }
      {{- with .own.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .own.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .own.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "docloom.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
      containers:
        - name: docloom
          image: {{ $values.image.repository }}{{ if $values.image.digest }}@{{ $values.image.digest }}{{ else }}:{{ $values.image.tag | default .root.Chart.AppVersion }}{{ end }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: {{ .args | toJson }}
          envFrom:
            - configMapRef: { name: {{ include "docloom.name" .root }} }
            {{- with $values.github.secret }}
            - secretRef: { name: {{ . }} }
            {{- end }}
            {{- with $values.envFrom }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          env:
            - { name: HOST, value: 0.0.0.0 }
            - { name: PORT, value: "3000" }
            - { name: DATA_DIR, value: /data }
            - { name: DRAIN_SECONDS, value: {{ .drain | quote }} }
            - { name: GIT_CACHE_MB, value: {{ int .own.cache.git | quote }} }
            - { name: BLOBS_CACHE_MB, value: {{ int .own.cache.blobs | quote }} }
            {{- include "docloom.secret" (dict "name" "DATABASE_URL" "secret" $values.database.url.secret "key" $values.database.url.key) | nindent 12 }}
            {{- include "docloom.secret" (dict "name" "DATABASE_DIRECT_URL" "secret" $values.database.directUrl.secret "key" $values.database.directUrl.key) | nindent 12 }}
            {{- include "docloom.secret" (dict "name" "DATABASE_REPLICA_URL" "secret" $values.database.replicaUrl.secret "key" $values.database.replicaUrl.key) | nindent 12 }}
            {{- include "docloom.secret" (dict "name" "SECRET_KEY" "secret" $values.secretKey.secret "key" $values.secretKey.key) | nindent 12 }}
            {{- include "docloom.secret" (dict "name" "BLOBS_ACCESS_KEY_ID" "secret" $values.blobs.credentials.secret "key" $values.blobs.credentials.accessKeyId) | nindent 12 }}
            {{- include "docloom.secret" (dict "name" "BLOBS_SECRET_ACCESS_KEY" "secret" $values.blobs.credentials.secret "key" $values.blobs.credentials.secretAccessKey) | nindent 12 }}
            {{- include "docloom.secret" (dict "name" "METRICS_TOKEN" "secret" $values.metrics.token.secret "key" $values.metrics.token.key) | nindent 12 }}
            {{- with $values.env }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - { name: http, containerPort: 3000 }
          startupProbe:
            httpGet: { path: /startupz, port: http }
            periodSeconds: 2
            # Migrations may take minutes.
            failureThreshold: 150
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 4
            failureThreshold: 2
          resources:
            {{- toYaml .own.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        # Caches only: what is lost with a pod is fetched again.
        - name: data
          emptyDir: { sizeLimit: {{ add .own.cache.git .own.cache.blobs 3072 }}Mi }
        - name: tmp
          emptyDir: { sizeLimit: 1Gi }
{{- end }}

{{- define "docloom.secret" -}}
{{- if .secret -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end }}
{{- end }}

{{- define "docloom.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels:
    {{- include "docloom.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: {{ .root.Values.disruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "docloom.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
