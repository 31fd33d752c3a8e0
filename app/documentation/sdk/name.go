package sdk

import (
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/lists"
)

// maxName is the length of a name in bytes, before a number makes it unique.
const maxName = 64

// Name is a name in the spellings of programming languages. It has ASCII letters and
// digits only and begins with a letter.
type Name struct {
	Pascal string // PetStore
	Camel  string // petStore
	Snake  string // pet_store
	Upper  string // PET_STORE
}

// newName returns the name of some text. fallback stands in for a text without
// letters.
func newName(text, fallback string) Name {
	var words []string
	size := 0
	for _, word := range naming.Words(text) {
		word = strings.Map(func(r rune) rune {
			if r > 127 {
				return -1
			}
			return r
		}, word)
		if word == "" {
			continue
		}
		if size += len(word); size > maxName {
			if len(words) == 0 {
				words = append(words, word[:maxName])
			}
			break
		}
		words = append(words, strings.ToLower(word))
	}
	if len(words) == 0 || words[0][0] >= '0' && words[0][0] <= '9' {
		words = append([]string{fallback}, words...)
	}
	return fromWords(words)
}

func fromWords(words []string) Name {
	var n Name
	for i, word := range words {
		capital := naming.Capital(word)
		n.Pascal += capital
		if i == 0 {
			n.Camel = word
		} else {
			n.Camel += capital
		}
	}
	n.Snake = strings.Join(words, "_")
	n.Upper = strings.ToUpper(n.Snake)
	return n
}

func (n Name) plus(suffix string) Name {
	low := strings.ToLower(suffix)
	return Name{n.Pascal + naming.Capital(low), n.Camel + naming.Capital(low), n.Snake + "_" + low, n.Upper + "_" + strings.ToUpper(suffix)}
}

// names gives names that differ in every language, without regard to case.
type names struct {
	taken    map[string]bool
	reserved map[string]bool
}

func newNames(reserved map[string]bool) *names { return &names{map[string]bool{}, reserved} }

// unique returns a name that is not reserved and that was not given yet. suffix is
// added to a reserved one.
func (u *names) unique(n Name, suffix string) Name {
	if u.reserved[strings.ToLower(n.Pascal)] || u.reserved[n.Snake] {
		n = n.plus(suffix)
	}
	made := n
	for i := 2; u.taken[strings.ToLower(made.Pascal)] || u.reserved[strings.ToLower(made.Pascal)]; i++ {
		made = n.plus("n" + strconv.Itoa(i))
	}
	u.taken[strings.ToLower(made.Pascal)] = true
	return made
}

func set(words string) map[string]bool {
	return lists.Set(strings.Fields(words))
}

// The reserved names are joined from all six languages, so that a thing has the same
// name in each of them.
var (
	// keywords cannot name members, arguments and methods.
	keywords = set(`abstract and any array as assert async await base bool boolean break byte callable case catch char
checked class clone const constructor continue debugger decimal declare def default defer del delegate delete die do double
echo elif else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval event except exit explicit
export extends extern fallthrough false final finally fixed float fn for foreach from func function global go goto if
implements implicit import in include instanceof insteadof int interface internal is isset lambda let list lock long map
match module namespace native new none nonlocal not null object operator or out override package params pass print
private protected public raise range readonly record ref require return sbyte sealed select self short sizeof
stackalloc static strictfp string struct super switch synchronized this throw throws trait transient true try type
typeof uint ulong unchecked unsafe unset use ushort using var virtual void volatile when where while with xor yield
arguments parent prototype proto hasownproperty tostring valueof tojson isprototypeof propertyisenumerable
getclass gettype hashcode notify notifyall wait equals finalize gethashcode memberwiseclone referenceequals
get set has remove keys values items raw extra options body client request response ctx context cancel timeout params
args kwargs opts init str len iter next copy clear update pop setdefault jsonserialize of tomap dynamic nil
append cap close complex imag make new panic real recover error iota uintptr rune mro name compare value field fields`)

	// fieldWords cannot name members of objects.
	fieldWords = set(`class getclass get set has remove keys values items raw extra of tomap tostring equals hashcode gettype
gethashcode jsonserialize wait notify notifyall finalize clone memberwiseclone referenceequals constructor proto
self this marshaljson unmarshaljson unknown data construct destruct call callstatic isset unset invoke
put putmodel putmodels wrap tojson fields clear`)

	// schemeWords cannot name credentials, which are options beside these.
	schemeWords = set(`header headers timeout baseurl base_url httpclient http_client maxretries max_retries response transport
fetch environment useragent user_agent options client credential credentials on_response onresponse handler class self
new this default params string in is as session opener proxy`)

	// typeNames cannot name models.
	typeNames = set(`object string boolean integer long double float short byte character number math system thread
runnable record void override deprecated iterable comparable exception error throwable class enum process runtime module
package cloneable readable appendable closeable list map set array date file uri url model union client options
client clientoptions calloptions response request apierror sdkerror badrequesterror authenticationerror
permissiondeniederror notfounderror conflicterror unprocessableentityerror ratelimiterror internalservererror
connectionerror timeouterror abortederror cancellederror json page pages iterator iterable stream webhooks webhook
part upload binary datetime nullable optional field literal typeddict any dict tuple type none bool int uint
mixed callable self parent static false true null never iterator generator closure arrayobject stdclass
promise symbol function bigint partial readonly pick omit exclude extract nonnullable parameters returntype
instancetype awaited uint8array regexp proxy reflect weakmap weakset readablestream abortsignal headers
task func action tuple guid random buffer console convert environment version attribute type char decimal
lazy nullable delegate eventargs exception gc timespan timer types models resources errors transport index
namespace interface public private protected internal abstract final const default switch case break return
for while do if else try catch finally throw new this super import from as in is not and or xor del pass global
nonlocal lambda with yield assert async await def elif except raise print echo exit die empty eval var use
trait insteadof goto fn match struct func chan select go defer range package errorreason operation call
transport resource method credentials scheme params verify header http cookie base ptr pointer raw codec
unset list isset include require clone extends implements instanceof resource numeric scalar iterable
override sealed permits yield appenum sdk`)
)
