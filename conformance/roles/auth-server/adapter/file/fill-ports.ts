/** Fills the ports of an adapter file in. */
import { choosePorts, withPorts } from '../../../../engine/party/process/ports.ts';
import type { AdapterSettings } from './schema/schema.ts';

/**
 * Replaces every `${ports.NAME}` by its number. Ports set to 0 become free ones. Another program could take
 * such a port before the server under test opens it; nothing better can be had.
 */
export async function fillPorts(settings: AdapterSettings): Promise<AdapterSettings> {
  const ports = await choosePorts(settings.ports);
  // Only sections with templates: a password that looks like a template is none.
  const { server, steps, otp } = settings;
  return {
    ...settings,
    ports,
    server: withPorts(server, ports),
    steps: withPorts(steps, ports),
    ...(otp && { otp: { ...otp, outbox: withPorts(otp.outbox, ports) } }),
  };
}
