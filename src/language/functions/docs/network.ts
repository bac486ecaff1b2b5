import { functionGroup } from './function-doc.ts';

export const networkDocs = functionGroup(
  'Network and geography',
  `
cidr: Keeps events whose IP address is in one of the given subnets. ⇒ cidr(ip, subnet=["192.0.2.0/24"]) | groupBy(ip)
subnet: Returns the network address of an IPv4 address. ⇒ net := subnet(ip, bits=24) | groupBy(net)
ipLocation: Adds the country, city and coordinates of an IP address. ⇒ ip=198.51.100.7 | ipLocation(ip) | groupBy([ip, ip.country, ip.city])
asn: Adds the autonomous system number and organization of an IP address. ⇒ asn(ip) | groupBy(ip.org)
reverseDns: Returns the host name of an IP address by reverse DNS lookup. ⇒ host := reverseDns(ip) | groupBy([ip, host], function=[])
ioc:lookup: Looks up IP addresses, domains or URLs in a list of known indicators of compromise. ⇒ ioc:lookup(ip, type=ip_address, strict=true)
  | groupBy([ip, ioc.detected, ioc[0].malicious_confidence])
communityId: Returns the Community ID of a network flow. ⇒ flow := communityId(proto=proto, sourceip=src, destinationip=dst, sourceport=sport, destinationport=dport)
  | select(flow)
geohash: Returns the geohash of a latitude and longitude. ⇒ area := geohash(lat=lat, lon=lon, precision=5)
geography:distance: Returns the distance between two points on Earth. ⇒ geography:distance(lat1=from.lat, lon1=from.lon, lat2=to.lat, lon2=to.lon, as=meters)
  | round(meters) | select(meters)
`,
);
