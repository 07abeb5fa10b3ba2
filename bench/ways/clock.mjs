/** CPU seconds that this process had used when its work began: after it was started and had loaded what it needs. */
export let cpuAtBegin;

/** Called by every way right before its first transfer. */
export function begin() {
  const { user, system } = process.cpuUsage();
  cpuAtBegin ??= (user + system) / 1e6;
}
