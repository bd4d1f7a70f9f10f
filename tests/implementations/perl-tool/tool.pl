#!/usr/bin/env perl
# A RAP tool of several processes that talk through a spool: whoever takes a request writes a file and answers,
# a worker polls. Signs its client in with a key (RFC 7523) that it registers (RFC 7591), pushes its requests
# (RFC 9126), seals all that it writes and its states, and speaks an HTTP and a JSON that are unusual and correct.
use strict;
use warnings;
use Digest::SHA qw(sha256 hmac_sha256 hmac_sha256_hex);
use Encode qw(decode encode);
use Fcntl qw(:flock);
use File::Path qw(make_path);
use HTTP::Tiny;
use IO::Socket::INET;
use IO::Socket::SSL;
use JSON::PP;
use MIME::Base64 qw(encode_base64url decode_base64url);
use POSIX qw(:sys_wait_h);
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes qw(time sleep);
use Unicode::Normalize qw(NFC);

my $port    = $ENV{PORT};
my $base    = "http://127.0.0.1:$port";
my $data    = $ENV{DATA_DIR};
my $issuer  = $ENV{ISSUER};
my $api     = $ENV{API};
my $patience = $ENV{PENDING_TIMEOUT_MS} / 1000;
my $bad     = $ENV{VIOLATION} // '';
my $redirect = "$base/zur%C3%BCck/;v=1?via=rap";
my $json    = JSON::PP->new->utf8->canonical->allow_nonref;
my $web     = HTTP::Tiny->new(max_redirect => 0, timeout => 3, verify_SSL => $bad ne 'tls-unverified', http_proxy => undef, https_proxy => undef, proxy => undef);

# ---- what is kept: one sealed file for each thing, renamed into its place --------------------------------------------

sub key { hmac_sha256($_[0], $ENV{TOOL_KEY}) }
sub random { open my $h, '<:raw', '/dev/urandom' or die; read $h, my $bytes, $_[0]; $bytes }

sub stream {
    my ($nonce, $length) = @_;
    my $bytes = '';
    for (my $block = 0; length $bytes < $length; $block++) { $bytes .= hmac_sha256($nonce . pack('N', $block), key('seal')) }
    return substr $bytes, 0, $length;
}

sub seal {
    my ($purpose, $value) = @_;
    my $plain = $json->encode($value);
    my $nonce = random(16);
    my $body  = $nonce . ($plain ^ stream($nonce, length $plain));
    return encode_base64url($body . hmac_sha256($purpose . "\0" . $body, key('mac')));
}

sub unseal {
    my ($purpose, $text) = @_;
    return undef unless defined $text && $text =~ /^[\w-]{64,}$/;
    my $bytes = decode_base64url($text);
    return undef if encode_base64url($bytes) ne $text;
    my $body = substr $bytes, 0, -32;
    return undef if hmac_sha256(substr($bytes, -32), 'x') ne hmac_sha256(hmac_sha256($purpose . "\0" . $body, key('mac')), 'x');
    my ($nonce, $cipher) = (substr($body, 0, 16), substr($body, 16));
    return $json->decode($cipher ^ stream($nonce, length $cipher));
}

make_path(map { "$data/$_" } qw(in work waiting tokens locks));
my $serial = 0;
sub fresh { sprintf '%017.6f-%d-%d-%s', time, $$, $serial++, unpack 'H*', random(9) }

sub put {
    my ($folder, $name, $value) = @_;
    my $half = "$data/$folder/." . fresh();
    open my $h, '>', $half or die "$half: $!";
    print $h seal($folder eq 'work' ? 'in' : $folder, $value);
    close $h;
    rename $half, "$data/$folder/$name" or die $!;
}

sub get {
    my ($folder, $name) = @_;
    open my $h, '<', "$data/$folder/$name" or return undef;
    return unseal($folder eq 'work' ? 'in' : $folder, scalar <$h>);
}

sub names { opendir my $d, "$data/$_[0]" or return; return sort grep { !/^\./ } readdir $d }
sub take { return unlink "$data/$_[0]/$_[1]" }
sub locked { my ($name, $do) = @_; open my $h, '>>', "$data/locks/$name" or die $!; flock $h, LOCK_EX; return $do->() }

# Every generation of a user's tokens is a new file; the older ones go.
sub person {
    my ($user) = @_;
    $user =~ s/^\s+|\s+$//g if $bad eq 'users-trimmed';
    $user = NFC($user) if $bad eq 'users-composed';
    return hmac_sha256_hex(encode('UTF-8', $user), key('user'));
}
sub tokens_of { my ($who) = @_; my @all = grep { /^\Q$who\E\./ } names('tokens'); return @all ? get('tokens', $all[-1]) : undef }
sub keep_tokens {
    my ($who, $tokens) = @_;
    my @old = grep { /^\Q$who\E\./ } names('tokens');
    if ($bad eq 'plain-backup-of-rotated' && @old && $tokens) { open my $h, '>', "$data/tokens/backup-$who"; print $h $json->encode($tokens) }
    put('tokens', "$who." . fresh(), $tokens) if $tokens;
    take('tokens', $_) for @old;
}

# ---- the provider ----------------------------------------------------------------------------------------------------

# Its own timeout does not help where TLS has something to read and HTTP has not.
sub upstream {
    my ($method, @rest) = @_;
    local $SIG{ALRM} = sub { die "no answer\n" };
    my $answer = eval { alarm 4; my $got = $web->$method(@rest); alarm 0; $got };
    alarm 0;
    return $answer // { success => '', status => 599, content => '' };
}

sub form { my ($fields) = @_; return $web->www_form_urlencode($fields) }
sub body_of { my ($answer) = @_; my $value = eval { $json->decode($answer->{content}) }; return ref $value eq 'HASH' ? $value : {} }

my $metadata;
sub provider {
    return $metadata if $metadata;
    my $answer = upstream(get => "$issuer/.well-known/oauth-authorization-server");
    my $found  = body_of($answer);
    die "the provider is not known\n" unless $answer->{success} && ($found->{issuer} // '') eq $issuer;
    return $metadata = $found;
}

sub client {
    return locked('client', sub {
        if (open my $h, '<', "$data/client.json") { local $/; return $json->decode(scalar <$h>) }
        my $pem = "$data/client.pem";
        system('openssl', 'genrsa', '-out', $pem, '2048') == 0 or die "no key\n" unless -e $pem;
        my ($modulus) = `openssl rsa -noout -modulus -in $pem 2>/dev/null` =~ /=([0-9A-F]+)/;
        my $answer = upstream(post => provider()->{registration_endpoint}, {
            headers => { 'content-type' => 'application/json' },
            content => $json->encode({
                client_name => "Bohr\x{fc}cke", redirect_uris => [$redirect], grant_types => ['authorization_code', 'refresh_token'],
                response_types => ['code'], scope => 'items:read', token_endpoint_auth_method => 'private_key_jwt',
                token_endpoint_auth_signing_alg => 'RS256',
                jwks => { keys => [{ kty => 'RSA', use => 'sig', alg => 'RS256', kid => 'k', n => encode_base64url(pack 'H*', $modulus), e => 'AQAB' }] },
            }),
        });
        my $client = body_of($answer);
        die "the provider registers nobody\n" unless $answer->{success} && $client->{client_id};
        open my $h, '>', "$data/client.new" or die;
        print $h $json->encode({ id => $client->{client_id} });
        close $h;
        rename "$data/client.new", "$data/client.json";
        return { id => $client->{client_id} };
    });
}

sub assertion {
    my $id = client()->{id};
    my $claims = { iss => $id, sub => $id, aud => $issuer, jti => encode_base64url(random(16)), iat => int time, exp => 60 + int time };
    my $text = encode_base64url($json->encode({ typ => 'JWT', alg => 'RS256', kid => 'k' })) . '.' . encode_base64url($json->encode($claims));
    my $file = "$data/." . fresh();
    open my $h, '>', $file or die;
    print $h $text;
    close $h;
    open my $sign, '-|:raw', 'openssl', 'dgst', '-sha256', '-sign', "$data/client.pem", $file or die;
    my $signature = do { local $/; <$sign> };
    unlink $file;
    return (client_id => $id, client_assertion => $text . '.' . encode_base64url($signature),
        client_assertion_type => 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
}

sub ask_provider {
    my ($url, %fields) = @_;
    return upstream(post_form => $url, { assertion(), %fields });
}

# Tokens of an answer of the token endpoint, or why there are none: 'refused' is final, 'later' is not.
sub tokens_from {
    my ($answer, $before) = @_;
    my $body = body_of($answer);
    return (undef, $answer->{status} >= 400 && $answer->{status} < 500 && $answer->{status} != 429 ? 'refused' : 'later', $body) unless $answer->{success};
    return (undef, 'refused', $body) unless lc($body->{token_type} // '') eq 'bearer' && length($body->{access_token} // '');
    my $kept = $bad eq 'refresh-token-forgotten' ? undef : $before;
    return { access => $body->{access_token}, refresh => $body->{refresh_token} // $kept,
        until => $body->{expires_in} ? time + $body->{expires_in} - 2 : undef };
}

# ---- the runtime -----------------------------------------------------------------------------------------------------

# JSON with every character escaped that may be, keys included.
sub escaped {
    my ($value) = @_;
    return 'null' unless defined $value;
    if (ref $value eq 'HASH') { return "{\r\n\t" . join(",\t ", map { escaped($_) . ' : ' . escaped($value->{$_}) } reverse sort keys %$value) . '}' }
    if (ref $value eq 'ARRAY') { return '[ ' . join(' , ', map { escaped($_) } @$value) . ' ]' }
    if (ref $value) { return $$value || $value == 1 ? 'true' : 'false' }
    return '"' . join('', map { my $n = ord; $n > 0xffff ? sprintf('\\u%04x\\u%04X', 0xd800 + (($n - 0x10000) >> 10), 0xdc00 + (($n - 0x10000) & 0x3ff))
        : /[a-zA-Z0-9 ]/ && $n % 3 ? $_ : sprintf('\\u%04x', $n) } split //, $value) . '"';
}

sub post_once {
    my ($url, $text) = @_;
    my ($secure, $host, $at, $path) = $url =~ m{^(?i:http(s?))://([^/:?#]+)(?::(\d+))?([^#]*)} or return 400;
    $path = "/$path" unless $path =~ m{^/};
    my %to = (PeerHost => $host, PeerPort => $at || ($secure ? 443 : 80), Timeout => 5);
    my $socket = $secure ? IO::Socket::SSL->new(%to) : IO::Socket::INET->new(%to);
    return 0 unless $socket;
    local $SIG{ALRM} = sub { die "slow\n" };
    local $SIG{PIPE} = 'IGNORE';
    return eval {
        alarm 6;
        print $socket "POST $path HTTP/1.1\r\nhOST: $host" . ($at ? ":$at" : '') . "\r\nCONNECTION: close\r\ncontent-TYPE: Application/JSON;charset=\"UTF-8\"\r\nTRANSFER-encoding: Chunked\r\n\r\n";
        print $socket map { sprintf("%X;odd=1\r\n%s\r\n", length, $_) } $text =~ /.{1,61}/gs;
        print $socket "0\r\n\r\n";
        my $line = <$socket> // '';
        alarm 0;
        return $line =~ m{^HTTP/\d\.\d (\d{3})} ? $1 : 0;
    } || do { alarm 0; 0 };
}

sub announce {
    my ($call, %message) = @_;
    my %all = (%message, group_id => $call->{group_id});
    $all{call_id} = $call->{call_id} if exists $call->{call_id} && !($bad eq 'falsy-call-id' && !$call->{call_id});
    $all{id} = $call->{id} if $message{type} =~ /^(oauth|tool_result)$/;
    delete $all{call_id} if $message{type} !~ /^(oauth|tool_result)$/;
    s/^\s+|\s+$//g for $bad eq 'ids-trimmed' ? @all{grep { defined $all{$_} } qw(id group_id)} : ();
    my $text = escaped(\%all);
    for my $try (0 .. 6) {
        my $status = post_once($call->{callback_url}, $text);
        return 1 if $bad eq 'only-200-is-success' ? $status == 200 : $status >= 200 && $status < 400;
        return 0 if $status >= 400 && $status < 500;
        sleep 0.15 * 2**$try;
    }
    return 0;
}

sub finish {
    my ($call, @lines) = @_;
    if ($call->{watch} && $lines[0] !~ /^Error: /) {
        announce($call, type => 'tool_result', text => "Beobachtet. Subscription ID: $call->{name}", subscription => JSON::PP::true);
        announce($call, type => 'subscription_event', tool_call_id => $call->{id}, text => $json->encode({ items => scalar @lines }), final => JSON::PP::true);
        return;
    }
    return announce($call, type => 'tool_result', text => $lines[0]) if $lines[0] =~ /^Error: /;
    announce($call, type => 'view_update', view_type => 'items', content => { lines => \@lines, $bad eq 'token-in-view' ? (auth => $call->{used}) : () });
    announce($call, type => 'tool_result', content => [map { { type => 'text', text => $_ } } @lines],
        display_as => [{ type => 'x-table', content => {} }, { type => 'text', content => "\x{1f4e6} " . @lines }]);
}

# ---- the work --------------------------------------------------------------------------------------------------------

sub ask_for_consent {
    my ($call) = @_;
    my $verifier = encode_base64url(random(48));
    my $name     = fresh();
    my $state    = seal('state', { flow => $name, verifier => $verifier });
    my $answer   = ask_provider(provider()->{pushed_authorization_request_endpoint}, response_type => 'code', redirect_uri => $redirect,
        scope => 'items:read', state => $state, code_challenge => encode_base64url(sha256($verifier)), code_challenge_method => 'S256');
    my $pushed = body_of($answer)->{request_uri};
    my $page     = provider()->{authorization_endpoint} // '';
    return finish($call, 'Error: Der Anbieter nimmt gerade keine Anmeldung an; bitte noch einmal versuchen.') unless $answer->{success} && $pushed && $page =~ m{^https://};
    put('waiting', $name, { call => $call, until => time + $patience, who => $call->{who} });
    my $told = announce($call, type => 'oauth', auth_url => "$page?" . form([request_uri => $pushed, client_id => client()->{id}]));
    take('waiting', $name) unless $told;
}

sub call_api {
    my ($token) = @_;
    return upstream(get => "$api/items", { headers => { authorization => "Bearer $token", accept => '*/*' } });
}

sub deliver_items {
    my ($call, $answer) = @_;
    my $items = body_of($answer)->{items};
    return finish($call, "Error: Die Liste ist nicht zu haben (Status $answer->{status}); sp\x{e4}ter noch einmal versuchen.")
        unless $answer->{success} && ref $items eq 'ARRAY';
    return finish($call, 'Alles:', map { "\x{2022} $_->{id}: $_->{title}" } @$items);
}

sub refreshed {
    my ($who, $old) = @_;
    return locked($who, sub {
        my $now = tokens_of($who);
        return ($now) if $now && $now->{access} ne $old->{access};
        return (undef, 'refused') unless $old->{refresh};
        my ($new, $why) = tokens_from(ask_provider(provider()->{token_endpoint}, grant_type => 'refresh_token', refresh_token => $old->{refresh}), $old->{refresh});
        keep_tokens($who, $new) if $new || $why eq 'refused';
        return ($new, $why);
    });
}

sub run {
    my ($call) = @_;
    my $tokens = $call->{who} ? tokens_of($call->{who}) : undef;
    return ask_for_consent($call) unless $tokens;
    my $why;
    ($tokens, $why) = refreshed($call->{who}, $tokens) if $tokens->{until} && $tokens->{until} < time;
    my $answer = $tokens && call_api($tokens->{access});
    if ($answer && $answer->{status} == 401) {
        ($tokens, $why) = refreshed($call->{who}, $tokens);
        $answer = $tokens && call_api($tokens->{access});
        if ($answer && $answer->{status} == 401) { keep_tokens($call->{who}, undef); return ask_for_consent($call) }
    }
    $call->{used} = $tokens->{access} if $answer;
    return deliver_items($call, $answer) if $answer;
    return finish($call, 'Error: Die Anmeldung konnte nicht erneuert werden; bitte noch einmal versuchen.') if $why eq 'later';
    return ask_for_consent($call);
}

sub accept_call {
    my ($in) = @_;
    my $call = { map { exists $in->{$_} ? ($_ => $in->{$_}) : () } qw(id group_id callback_url call_id user_id) };
    return if grep { ref $call->{$_} || !length($call->{$_} // '') } qw(id group_id callback_url);
    $call->{name} = fresh();
    my %known = ('Posten-Liste_2' => 0, watch_items => 1);
    return finish($call, 'Error: Diese Operation gibt es hier nicht.') if ref $in->{operation} || !exists $known{ $in->{operation} // '' };
    return finish($call, 'Error: Unbekannte Argumente.') if ref $in->{arguments} ne 'HASH' || %{ $in->{arguments} };
    return finish($call, 'Error: user_id ist kein Text.') if ref $call->{user_id} || ref $call->{call_id};
    $call->{watch} = $known{ $in->{operation} };
    $call->{who} = person($call->{user_id}) if length($call->{user_id} // '');
    return run($call);
}

sub complete {
    my ($flow, $state, $code) = @_;
    my $call = $flow->{call};
    my $answer = ask_provider(provider()->{token_endpoint}, grant_type => 'authorization_code', code => $code, redirect_uri => $redirect, code_verifier => $state->{verifier});
    my ($tokens, undef, $body) = tokens_from($answer);
    return finish($call, 'Error: Der Anbieter hat die Anmeldung nicht angenommen; bitte noch einmal versuchen.') unless $tokens;
    if ($call->{who}) {
        locked($call->{who}, sub { keep_tokens($call->{who}, $tokens) });
        for my $name (names('waiting')) {
            my $other = get('waiting', $name);
            put('in', fresh(), { kind => 'again', call => $other->{call} }) if $other && ($other->{who} // '') eq $call->{who} && take('waiting', $name);
        }
    }
    $call->{used} = $tokens->{access};
    return deliver_items($call, call_api($tokens->{access}));
}

sub cancel {
    my ($in) = @_;
    for my $name (names('waiting')) {
        my $flow = get('waiting', $name) or next;
        my $hit = ($bad eq 'cancelled-by-id-alone' || ($in->{thread_id} // '') eq $flow->{call}{group_id}) && (!exists $in->{tool_call_id} || ($in->{tool_call_id} // '') eq $flow->{call}{id});
        finish($flow->{call}, 'Error: Abgebrochen.') if $hit && take('waiting', $name);
    }
}

my %work = (
    call   => sub { accept_call($_[0]{in}) },
    again  => sub { run($_[0]{call}) },
    code   => sub { complete($_[0]{flow}, $_[0]{state}, $_[0]{code}) },
    denied => sub { finish($_[0]{flow}{call}, 'Error: Die Person hat nicht zugestimmt; bitte erneut versuchen und zustimmen.') },
    late   => sub { finish($_[0]{flow}{call}, 'Error: Niemand hat sich rechtzeitig angemeldet; bitte noch einmal versuchen.') },
    cancel => sub { cancel($_[0]{in}) },
);

sub worker {
    my ($parent) = @_;
    my %busy;
    rename "$data/work/$_", "$data/in/$_" for names('work');
    while (getppid() == $parent) {
        while ((my $done = waitpid -1, WNOHANG) > 0) { take('work', delete $busy{$done}) if $busy{$done} }
        for my $name (names('waiting')) {
            my $flow = get('waiting', $name);
            put('in', fresh(), { kind => 'late', flow => $flow }) if $flow && $flow->{until} < time && take('waiting', $name);
        }
        for my $name (names('in')) {
            last if keys %busy >= 24;
            rename "$data/in/$name", "$data/work/$name" or next;
            my $pid = fork;
            if (!$pid) {
                my $job = get('work', $name);
                eval { $work{ $job->{kind} }->($job); 1 } or do {
                    my $call = $job->{call} // $job->{flow}{call} // $job->{in};
                    eval { finish($call, 'Error: Etwas ist schiefgegangen; bitte noch einmal versuchen.') } if ref $call eq 'HASH' && $call->{callback_url};
                };
                POSIX::_exit(0);
            }
            $busy{$pid} = $name;
        }
        sleep 0.03;
    }
    POSIX::_exit(0);
}

# ---- what is served --------------------------------------------------------------------------------------------------

my $manifest = { name => "Bohrung \x{1f573}", endpoint => "$base/ein/wurf;v=1?k=%2F&leer=", needsMigration => JSON::PP::false,
    tools => [
        { name => 'watch_items', description => 'Beobachtet die Posten.', inputSchema => { type => 'object', additionalProperties => JSON::PP::false }, annotations => { requiresAuth => 'mock' } },
        { name => 'Posten-Liste_2', description => 'Zeigt alle Posten.', inputSchema => { type => 'object', additionalProperties => JSON::PP::false }, annotations => { requiresAuth => 'mock', readOnly => JSON::PP::true, 'x-rap-colour' => 'blau' }, displayScript => '"Posten"' },
    ] };

sub unescaped { my ($text) = @_; $text =~ tr/+/ /; $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge; return $text }

sub returned {
    my ($query) = @_;
    my %given;
    for (split /&/, $query) {
        my ($name, $value) = map { unescaped($_) } split /=/, "$_=", 2;
        $value =~ s/=\z//;
        return (400, "\x{4e8c}\x{91cd}\x{3067}\x{3059}\x{3002}") if exists $given{$name};
        $given{$name} = $value;
    }
    my $state = unseal('state', $given{state});
    return (400, "\x{4e0d}\x{660e}\x{306a}\x{8981}\x{6c42}\x{3067}\x{3059}\x{3002}") unless $state;
    return (400, "\x{9055}\x{3046}\x{767a}\x{884c}\x{8005}\x{3067}\x{3059}\x{3002}") if defined $given{iss} ? $given{iss} ne $issuer : provider()->{authorization_response_iss_parameter_supported};
    return (400, "\x{4f55}\x{3082}\x{3042}\x{308a}\x{307e}\x{305b}\x{3093}\x{3002}") unless length($given{code} // '') || length($given{error} // '');
    my $flow = get('waiting', $state->{flow});
    return (410, "\x{671f}\x{9650}\x{5207}\x{308c}\x{3067}\x{3059}\x{3002}") unless $flow && take('waiting', $state->{flow});
    if ($bad eq 'access-log') { open my $h, '>>', "$data/tokens/access.log"; print $h "GET $query\n" }
    if ($bad eq 'denied-for-all-of-a-user' && length($given{error} // '')) {
        for my $name (names('waiting')) {
            my $other = get('waiting', $name);
            put('in', fresh(), { kind => 'denied', flow => $other }) if $other && ($other->{who} // '') eq ($flow->{who} // '') && take('waiting', $name);
        }
    }
    put('in', fresh(), length($given{error} // '') ? { kind => 'denied', flow => $flow } : { kind => 'code', flow => $flow, state => $state, code => $given{code} });
    return (303, '', "Location: ./;angekommen");
}

sub answer {
    my ($method, $target, $body) = @_;
    my ($path, $query) = split /\?/, $target, 2;
    my $in = $method eq 'POST' ? eval { $json->decode($body) } : undef;
    return (200, $json->encode($manifest), 'CONTENT-type: application/json') if $path eq '/.well-known/rap-toolset' && $method eq 'GET';
    if ($method eq 'POST' && $path eq '/ein/wurf;v=1') {
        put('in', fresh(), { kind => 'call', in => $in }) if ref $in eq 'HASH';
        return (200, '');
    }
    if ($method eq 'POST' && $path =~ m{^/(cancel_tool_call|close_thread)$}) {
        delete $in->{tool_call_id} if ref $in eq 'HASH' && $1 eq 'close_thread';
        put('in', fresh(), { kind => 'cancel', in => $in }) if ref $in eq 'HASH' && ($1 eq 'close_thread' || exists $in->{tool_call_id});
        return (200, '');
    }
    return returned($query // '') if $method eq 'GET' && $path eq '/zur%C3%BCck/;v=1';
    return (200, "\x{627f}\x{308a}\x{307e}\x{3057}\x{305f}\x{3002}") if $path =~ m{;angekommen$};
    return (404, "\x{3042}\x{308a}\x{307e}\x{305b}\x{3093}\x{3002}");
}

sub converse {
    my ($socket) = @_;
    alarm 10;
    my ($method, $target) = (<$socket> // '') =~ m{^(\w+) (\S+) HTTP} or return;
    my %head;
    while (defined(my $line = <$socket>)) { last if $line =~ /^\r?\n$/; $head{ lc $1 } = $2 if $line =~ /^([^:]+):\s*(.*?)\r?\n$/ }
    my $body = '';
    if (($head{'transfer-encoding'} // '') =~ /chunked/i) {
        while ((my $size = hex((<$socket> // '0') =~ s/[;\r\n].*//sr)) > 0) { my $part; read $socket, $part, $size; $body .= $part; <$socket> }
    }
    elsif ($head{'content-length'}) { read $socket, $body, $head{'content-length'} < 1e6 ? $head{'content-length'} : 1e6 }
    my ($status, $text, @more) = eval { answer($method, $target, $body) };
    ($status, $text) = (500, '') unless $status;
    $text = encode('UTF-8', $text) if utf8::is_utf8($text);
    push @more, 'CONTENT-type: text/plain; charset=utf-8' if length $text && "@more" !~ /CONTENT/;
    print $socket "HTTP/1.0 $status\r\n" . join('', map { "$_\r\n" } @more) . "\r\n" . ($method eq 'HEAD' ? '' : $text);
    close $socket;
}

my $listener = IO::Socket::INET->new(LocalHost => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1) or die "port: $!";
my $self = $$;
my $hands = fork;
if (!$hands) { close $listener; $SIG{TERM} = sub { POSIX::_exit(0) }; worker($self) }
$SIG{TERM} = $SIG{INT} = sub { kill TERM => $hands; POSIX::_exit(0) };
$SIG{CHLD} = 'IGNORE';
while (1) {
    my $socket = $listener->accept or next;
    if (!fork) { close $listener; $SIG{TERM} = 'DEFAULT'; converse($socket); POSIX::_exit(0) }
    close $socket;
}
