/** Puts the numbers of the ports into an adapter file, whose templates name the ports as `${ports.NAME}`. */
import { choosePorts, withPorts } from '../../../../engine/party/process/ports.ts';
import type { AdapterSettings } from './schema/schema.ts';

/** Replaces every `${ports.NAME}` by its number. A port that is 0 becomes a free one. */
export async function fillPorts(settings: AdapterSettings): Promise<AdapterSettings> {
  const ports = await choosePorts(settings.ports);
  // Only these sections have templates. In others, such as a password, `${ports.NAME}` is ordinary text.
  const { server, steps, otp } = settings;
  return {
    ...settings,
    ports,
    server: withPorts(server, ports),
    steps: withPorts(steps, ports),
    ...(otp && { otp: { ...otp, outbox: withPorts(otp.outbox, ports) } }),
  };
}
